import { ViewTitle } from '../shell/ViewTitle.tsx'

export const Tokens = () => <ViewTitle title="Tokens and clients" />
