import { ViewTitle } from '../shell/ViewTitle.tsx'

export const Posts = () => <ViewTitle title="Posts" />
