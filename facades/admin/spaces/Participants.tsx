import { ViewTitle } from '../shell/ViewTitle.tsx'

export const Participants = () => <ViewTitle title="Participants" />
