import type { ReactNode } from 'react'
import locked from '../../shared/illustrations/locked.svg?raw'
import { useSession } from '../session.ts'
import { ButtonLink } from './ButtonLink.tsx'
import { Empty } from './Empty.tsx'
import { ViewTitle } from './ViewTitle.tsx'

interface OperatorsOnlyProps {
  /** The title of the view. */
  title: string
  /** Says what only operators can do here. */
  text: string
  children: ReactNode
}

/** Shows a view to operators; to others, why they can't see it. */
export const OperatorsOnly = ({ title, text, children }: OperatorsOnlyProps) => {
  const { is_operator: isOperator } = useSession()
  if (isOperator) return children
  return (
    <>
      <ViewTitle title={title} />
      <Empty picture={locked} title="For operators only" text={text}>
        <ButtonLink to="/" variant="default">
          Go to your spaces
        </ButtonLink>
      </Empty>
    </>
  )
}
