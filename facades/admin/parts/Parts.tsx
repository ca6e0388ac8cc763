import { ViewTitle } from '../shell/ViewTitle.tsx'

export const Parts = () => <ViewTitle title="Parts" />
