import { ViewTitle } from '../shell/ViewTitle.tsx'

export const EditPage = () => <ViewTitle title="Page" />
