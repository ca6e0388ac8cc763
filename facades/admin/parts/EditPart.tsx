import { ViewTitle } from '../shell/ViewTitle.tsx'

export const EditPart = () => <ViewTitle title="Part" />
