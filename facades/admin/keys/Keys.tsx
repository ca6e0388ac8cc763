import { ViewTitle } from '../shell/ViewTitle.tsx'

export const Keys = () => <ViewTitle title="Keys" />
