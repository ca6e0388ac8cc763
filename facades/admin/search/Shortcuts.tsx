import { Kbd, Modal, Table } from '@mantine/core'
import { MOD } from '../shell/platform.ts'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'

const SHORTCUTS = [
  { keys: [MOD, 'K'], effect: 'Search, or start an action' },
  { keys: ['?'], effect: 'Show this list' },
  { keys: [MOD, 'S'], effect: 'Save, in an editor' },
  { keys: [MOD, 'F'], effect: 'Find and replace, in a code editor' },
  { keys: [MOD, 'Z'], effect: 'Undo, in a code editor' },
  { keys: ['Ctrl', 'Space'], effect: 'Suggest tags, filters and names, in a code editor' },
  { keys: ['Esc', 'Tab'], effect: 'Leave a code editor (press Esc, then Tab)' },
]

/** The list of keyboard shortcuts. */
export const Shortcuts = ({ onClose }: { onClose: () => void }) => {
  useFocusReturn()
  return (
    <Modal
      opened
      onClose={onClose}
      title="Keyboard shortcuts"
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Table>
        <Table.Tbody>
          {SHORTCUTS.map(({ keys, effect }) => (
            <Table.Tr key={effect}>
              <Table.Th scope="row" fw={400}>
                {effect}
              </Table.Th>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                {keys.map((key, index) => (
                  <span key={key}>
                    {index > 0 && ' '}
                    <Kbd>{key}</Kbd>
                  </span>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
