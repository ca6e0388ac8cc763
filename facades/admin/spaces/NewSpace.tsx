import { ViewTitle } from '../shell/ViewTitle.tsx'

export const NewSpace = () => <ViewTitle title="New space" />
