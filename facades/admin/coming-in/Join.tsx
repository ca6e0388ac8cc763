import { ViewTitle } from '../shell/ViewTitle.tsx'

export const Join = () => <ViewTitle title="Join" />
