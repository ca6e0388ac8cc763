import { ViewTitle } from '../shell/ViewTitle.tsx'

export const SetUp = () => <ViewTitle title="Set up" />
