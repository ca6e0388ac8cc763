import { ViewTitle } from '../shell/ViewTitle.tsx'

export const NewPage = () => <ViewTitle title="New page" />
