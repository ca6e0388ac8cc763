import { ViewTitle } from '../shell/ViewTitle.tsx'

export const NewPart = () => <ViewTitle title="New part" />
