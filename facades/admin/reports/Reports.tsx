import { Box, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import locked from '../../shared/illustrations/locked.svg?raw'
import flag from '../../shared/illustrations/reports.svg?raw'
import { api } from '../api.ts'
import { useSession } from '../session.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { focusAfterDialog } from '../ui/focus-after-dialog.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { Report } from './Report.tsx'
import { Suspended } from './Suspended.tsx'

/** Lists the posts and comments that readers reported. For operators only. */
export const Reports = () => {
  const { is_operator: isOperator } = useSession()
  const list = useRef<HTMLDivElement>(null)
  const reports = useQuery(api.reports.list.queryOptions(undefined, { enabled: isOperator }))
  if (!isOperator)
    return (
      <>
        <ViewTitle title="Reports" />
        <Empty
          picture={locked}
          title="For operators only"
          text="Only operators can review reports. The configuration of this service lists the operators."
        >
          <ButtonLink to="/" variant="default">
            Go to your spaces
          </ButtonLink>
        </Empty>
      </>
    )
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
