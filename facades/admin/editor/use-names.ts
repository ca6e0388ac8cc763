import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { pointerOf } from '../../shared/check-json.ts'
import { api, queryClient, rpc } from '../api.ts'
import { valueAt } from '../data/json.ts'
import { failureOf } from '../ui/failure.ts'
import type { NameActions, Vocabulary } from './code-editor-props.ts'
import type { NamedThing } from './names-in-code.ts'

/** Maximum length of a value that is shown in the editor. */
const SHOWN = 160

/** Opens and describes the parts, records and files that a template names. */
export const useNames = (subdomain: string, vocabulary: Vocabulary | undefined): NameActions | undefined => {
  const navigate = useNavigate()
  return useMemo(() => {
    if (!vocabulary) return undefined
    const partId = async (name: string) => {
      const { data } = await queryClient.query({
        ...api.parts.list.queryOptions({ subdomain }),
        staleTime: 0,
      })
      return data.find(part => part.name === name)?.id
    }
    const describe = async (thing: NamedThing) => {
      const { name } = thing
      if (thing.kind !== 'record') {
        const isKnown = thing.kind === 'file' || vocabulary.parts.includes(name)
        return isKnown ? `The ${thing.kind} ${name}` : null
      }
      const record = await rpc.data.get.query({ subdomain, key: name }).catch((error: unknown) => {
        if (failureOf(error).code === 'data_not_found') return null
        throw error
      })
      const value = record && JSON.stringify(valueAt(record.value, thing.path))
      return value && value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : (value ?? null)
    }
    return {
      files: vocabulary.files.map(({ name }) => name),
      describe: thing => describe(thing).catch(() => null),
      open: thing => {
        const { name } = thing
        if (thing.kind === 'record')
          void navigate({
            to: '/spaces/$subdomain/data/$key',
            params: { subdomain, key: name },
            search: { at: pointerOf(thing.path) || undefined },
          })
        else if (thing.kind === 'file')
          void navigate({ to: '/spaces/$subdomain/files', params: { subdomain }, search: { q: name } })
        else
          void partId(name).then(id =>
            id === undefined
              ? navigate({ to: '/spaces/$subdomain/parts', params: { subdomain } })
              : navigate({ to: '/spaces/$subdomain/parts/$partId', params: { subdomain, partId: id } }),
          )
      },
    }
  }, [subdomain, vocabulary, navigate])
}
