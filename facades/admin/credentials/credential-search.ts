import { flag, id, searchParams } from '../shell/search-params.ts'

/** Search parameters that open a dialog of the list of keys or tokens. They make links to dialogs possible. */
const dialogs = { issue: flag, rotate: id, revoke: id }

/** Validates the search parameters of the list of tokens. */
export const tokenSearch = searchParams(dialogs)

/** Validates the search parameters of the list of keys, which also has the dialog for connecting an agent. */
export const keySearch = searchParams({ ...dialogs, connect: flag })
