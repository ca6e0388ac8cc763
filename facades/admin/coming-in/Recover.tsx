import { ViewTitle } from '../shell/ViewTitle.tsx'

export const Recover = () => <ViewTitle title="Recover" />
