import { ViewTitle } from '../shell/ViewTitle.tsx'

export const Profile = () => <ViewTitle title="Profile" />
