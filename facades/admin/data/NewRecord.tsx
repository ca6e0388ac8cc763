import { ViewTitle } from '../shell/ViewTitle.tsx'

export const NewRecord = () => <ViewTitle title="New record" />
