import { ViewTitle } from '../shell/ViewTitle.tsx'

export const NewPost = () => <ViewTitle title="New post" />
