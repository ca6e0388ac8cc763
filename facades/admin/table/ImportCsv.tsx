import { Button, Menu } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useRef } from 'react'

interface ImportCsvProps {
  /** Whether there are rows that a file could replace. */
  hasRows: boolean
  onFile: (file: File, isReplacing: boolean) => void
}

/** Imports a CSV file. If the table has rows, first asks whether to add the file's rows or replace all rows. */
export const ImportCsv = ({ hasRows, onFile }: ImportCsvProps) => {
  const input = useRef<HTMLInputElement>(null)
  const isReplacing = useRef(false)
  const choose = (replaces: boolean) => {
    isReplacing.current = replaces
    input.current?.click()
  }
  const button = (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<IconFileImport size={16} aria-hidden />}
      {...(hasRows ? {} : { onClick: () => choose(false) })}
    >
      Import CSV
    </Button>
  )
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        aria-label="CSV file"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onFile(file, isReplacing.current)
          // Reset the file input, so that the same file can be chosen again.
          currentTarget.value = ''
        }}
      />
      {hasRows ? (
        <Menu position="bottom-start">
          <Menu.Target>{button}</Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => choose(false)}>Add rows from a file</Menu.Item>
            <Menu.Item onClick={() => choose(true)}>Replace all rows</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : (
        button
      )}
    </>
  )
}
