import { ViewTitle } from '../shell/ViewTitle.tsx'

export const OneTimeLink = () => <ViewTitle title="One-time link" />
