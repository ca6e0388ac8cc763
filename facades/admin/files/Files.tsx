import { ViewTitle } from '../shell/ViewTitle.tsx'

export const Files = () => <ViewTitle title="Files" />
