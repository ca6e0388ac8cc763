import { ViewTitle } from '../shell/ViewTitle.tsx'

export const Pages = () => <ViewTitle title="Pages" />
