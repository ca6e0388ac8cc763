import { ViewTitle } from '../shell/ViewTitle.tsx'

export const SignUp = () => <ViewTitle title="Make an account" />
