import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { root } from '../api.ts'
import { useSession } from '../session.ts'

/** Says, while another handle is typed, what becomes of the one that a person has. Letter case changes nothing. */
export const HandleWarning = ({ handle, wanted }: { handle: string; wanted: string }) => {
  const { is_operator: isOperator } = useSession()
  const typed = wanted.trim().replace(/^@/, '')
  const address = new URL(`@${handle}`, root).href.replace(/^https?:\/\//, '')
  return (
    <div role="status">
      {typed !== '' && typed.toLowerCase() !== handle.toLowerCase() && (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle aria-hidden />}
          mt="sm"
          title={`You give up “${handle}”`}
        >
          {address} stops opening and leads nowhere else, and anybody can take the handle at once. You sign in
          with the new one.
          {isOperator &&
            ' You run this service under your handle: change its configuration too, or whoever takes the handle becomes an operator.'}
        </Alert>
      )}
    </div>
  )
}
