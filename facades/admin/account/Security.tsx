import { ViewTitle } from '../shell/ViewTitle.tsx'

export const Security = () => <ViewTitle title="Security" />
