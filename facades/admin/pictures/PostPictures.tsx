import { Button, Modal, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Ref, useImperativeHandle, useState } from 'react'
import { api } from '../api.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { DialogActions } from '../ui/Confirm.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { DescribePicture } from './DescribePicture.tsx'
import { type IncomingPictures, type PictureUploader, PictureUploads } from './PictureUploads.tsx'
import type { StoredPicture } from './stored-picture.ts'

/** A picture that was uploaded and is not in the post yet, because it has no description. */
interface Undescribed {
  picture: StoredPicture
  onStored: IncomingPictures['onStored']
}

/**
 * Uploads the pictures of a post to a space that the person chooses, because posts have no files of their own. Asks for a
 * description of each before it becomes part of the post.
 */
export const PostPictures = ({ ref }: { ref: Ref<PictureUploader> }) => {
  const [subdomain, setSubdomain] = useState<string | null>(null)
  const [isChosen, setIsChosen] = useState(false)
  const [uploader, setUploader] = useState<PictureUploader | null>(null)
  const [waiting, setWaiting] = useState<IncomingPictures | null>(null)
  const [undescribed, setUndescribed] = useState<Undescribed[]>([])
  const [next] = undescribed
  const describe = (alt: string) => {
    next?.onStored({ ...next.picture, alt })
    setUndescribed(([, ...rest]) => rest)
  }
  const spaces = useQuery(api.spaces.list.queryOptions(undefined, { enabled: waiting !== null }))
  useImperativeHandle(ref, () => ({
    add: ({ pictures, onStored }) => {
      const incoming: IncomingPictures = {
        pictures,
        onStored: picture => setUndescribed(others => [...others, { picture, onStored }]),
      }
      if (isChosen && uploader) uploader.add(incoming)
      else setWaiting(incoming)
    },
  }))
  const hasSpace = spaces.data?.length !== 0
  const chosen = subdomain ?? spaces.data?.[0]?.subdomain ?? null
  return (
    <>
      {chosen !== null && <PictureUploads key={chosen} subdomain={chosen} ref={setUploader} />}
      {next && (
        <DescribePicture
          key={next.picture.url}
          src={next.picture.url}
          alt=""
          action="Insert picture"
          onDescribed={describe}
          onClose={() => describe('')}
        />
      )}
      <Modal
        opened={waiting !== null}
        onClose={() => setWaiting(null)}
        title={hasSpace ? 'Choose a space for the picture' : 'You need a space for pictures'}
        centered
      >
        <Stack>
          {spaces.isError && <FormFailure error={spaces.error} />}
          <Text size="sm">
            {hasSpace ? (
              'The picture is stored in the files of this space. Anyone who knows the picture’s address can open it.'
            ) : (
              <>
                Pictures of posts are kept in the files of a space.{' '}
                <TextLink to="/new-space" size="sm">
                  Create a space
                </TextLink>
                , or add the address of a picture on another site to the post.
              </>
            )}
          </Text>
          {hasSpace && (
            <Select
              label="Space"
              allowDeselect={false}
              value={chosen}
              onChange={setSubdomain}
              data={(spaces.data ?? []).map(({ subdomain, name }) => ({ value: subdomain, label: name }))}
            />
          )}
          <DialogActions onCancel={() => setWaiting(null)}>
            {hasSpace && (
              <Button
                disabled={uploader === null}
                onClick={() => {
                  setIsChosen(true)
                  if (waiting) uploader?.add(waiting)
                  setWaiting(null)
                }}
              >
                Upload picture
              </Button>
            )}
          </DialogActions>
        </Stack>
      </Modal>
    </>
  )
}
