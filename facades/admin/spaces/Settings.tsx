import { ViewTitle } from '../shell/ViewTitle.tsx'

export const Settings = () => <ViewTitle title="Settings" />
