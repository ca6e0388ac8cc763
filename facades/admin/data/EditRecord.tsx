import { ViewTitle } from '../shell/ViewTitle.tsx'

export const EditRecord = () => <ViewTitle title="Record" />
