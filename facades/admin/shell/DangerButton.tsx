import { Button } from '@mantine/core'

/** A button that opens the confirmation dialog for an action that cannot be undone. */
export const DangerButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button variant="outline" color="red" c="var(--mantine-color-error)" onClick={onClick}>
    {label}
  </Button>
)
