import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, queries } from '../api.ts'
import { failureOf } from '../feedback/failure.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { saveFile } from '../save-file.ts'
import { receiveFiles } from '../transfer/archive-requests.ts'

/** Downloads files of a space, given their ids, as one zip archive. Leaving the view cancels the download. */
export const useDownload = (subdomain: string) => {
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  return useMutation({
    mutationFn: (fileIds: string[]) => {
      running.current = new AbortController()
      return receiveFiles(subdomain, fileIds, running.current.signal)
    },
    onSuccess: ({ name, content }) => {
      saveFile(name, content)
      notifySuccess(`Saved as ${name}.`)
    },
    onError: error => {
      // Someone else has deleted one of the files.
      if (failureOf(error).code === 'file_not_found') void queries.invalidateQueries(api.files.pathFilter())
    },
  })
}
