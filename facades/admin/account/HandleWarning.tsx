import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { root } from '../api.ts'
import { useSession } from '../session.ts'

/**
 * While a new handle is typed, warns that the current one will be given up. A change of letter case shows no warning.
 */
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
          title={`You will give up “${handle}”`}
        >
          {address} will stop working, without a redirect, and anyone can take the handle right away. You will
          sign in with the new one.
          {isOperator &&
            ' The configuration of this service names your current handle as an operator. Update it too, or whoever takes the handle becomes an operator.'}
        </Alert>
      )}
    </div>
  )
}
