import { Box, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import flag from '../../shared/illustrations/reports.svg?raw'
import { api } from '../api.ts'
import { Empty } from '../ui/Empty.tsx'
import { focusAfterDialog } from '../ui/focus-after-dialog.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { OperatorsOnly } from '../ui/OperatorsOnly.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { type Decision, DecisionDialog, Report } from './Report.tsx'
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
  /** Stays when its dialog closes, so that a typed reason is there again. */
  const [decision, setDecision] = useState<(Decision & { button: Element | null }) | null>(null)
  const [isDeciding, setDeciding] = useState(false)
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
                    <Report
                      report={report}
                      onDecide={outcome => {
                        setDecision({ report, outcome, button: document.activeElement })
                        setDeciding(true)
                      }}
                      onSettled={() => focusAfterDialog(list)}
                    />
                  </li>
                ))}
              </Stack>
            )
          }
        </Loaded>
      </div>
      {decision && (
        <DecisionDialog
          key={`${decision.report.id} ${decision.outcome}`}
          report={decision.report}
          outcome={decision.outcome}
          opened={isDeciding}
          onClose={() => {
            setDeciding(false)
            focusAfterDialog({ current: decision.button as HTMLElement | null })
          }}
          onSettled={() => focusAfterDialog(list)}
        />
      )}
      {reports.data && (
        <Box mt="xl" maw="52rem">
          <Suspended />
        </Box>
      )}
    </>
  )
}
