import { Box, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import flag from '../../shared/illustrations/reports.svg?raw'
import { api } from '../api.ts'
import { Empty } from '../ui/Empty.tsx'
import { focusAfterDialog } from '../ui/focus-after-dialog.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { OperatorsOnly } from '../ui/OperatorsOnly.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { Report } from './Report.tsx'
import { Suspended } from './Suspended.tsx'

/** Lists the posts and comments that readers reported. For operators only. */
export const Reports = () => (
  <OperatorsOnly
    title="Reports"
    text="Only operators can review reports. The configuration of this service lists the operators."
  >
    <OpenReports />
  </OperatorsOnly>
)

const OpenReports = () => {
  const list = useRef<HTMLDivElement>(null)
  const reports = useQuery(api.reports.list.queryOptions())
  return (
    <>
      <ViewTitle
        title="Reports"
        text="Posts and comments reported by readers, oldest first. Dismiss a report, or take down what it is about."
      />
      <div ref={list} tabIndex={-1} style={{ outline: 'none' }}>
        <Loaded query={reports} placeholder={<Loading rows={3} height={140} maw="52rem" />}>
          {open =>
            open.length === 0 ? (
              <Empty
                picture={flag}
                title="No open reports"
                text="Reports appear here until you dismiss them or take down what they are about."
              />
            ) : (
              <Stack component="ul" style={{ listStyle: 'none', padding: 0, margin: 0 }} maw="52rem">
                {open.map(report => (
                  <li key={report.id}>
                    <Report report={report} onSettled={() => focusAfterDialog(list)} />
                  </li>
                ))}
              </Stack>
            )
          }
        </Loaded>
      </div>
      {reports.isSuccess && (
        <Box mt="xl" maw="52rem">
          <Suspended />
        </Box>
      )}
    </>
  )
}
