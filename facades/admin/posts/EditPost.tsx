import { ViewTitle } from '../shell/ViewTitle.tsx'

export const EditPost = () => <ViewTitle title="Post" />
