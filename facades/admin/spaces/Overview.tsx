import { ViewTitle } from '../shell/ViewTitle.tsx'

export const Overview = () => <ViewTitle title="Overview" />
