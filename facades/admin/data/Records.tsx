import { ViewTitle } from '../shell/ViewTitle.tsx'

export const Records = () => <ViewTitle title="Data" />
