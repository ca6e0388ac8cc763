import { Avatar, type AvatarProps } from '@mantine/core'
import { initialsOf } from './initials.ts'

/** The icon of a space or person, whose name stands beside it; the initials of the name if there is no icon. */
export const Monogram = ({ name, ...props }: AvatarProps & { name: string }) => (
  <Avatar color="leaf" alt="" {...props}>
    {initialsOf(name)}
  </Avatar>
)
