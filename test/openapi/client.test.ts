import { expect, test } from 'vitest'
import { callPlans, clientTypes } from '../../facades/openapi/typescript.ts'
import { descriptions } from './descriptions.ts'

// Run this file with `-u` after changing an operation.

test('the types of the typed client are those of the OpenAPI documents', async () => {
  await expect(clientTypes(descriptions)).toMatchFileSnapshot('../../facades/cli/client/api.d.ts')
})

test('the typed client has every operation', async () => {
  const plans = Object.fromEntries(
    descriptions.map(description => [description.api.name, callPlans(description)]),
  )
  const text = `${JSON.stringify(plans, null, 2)}\n`
  await expect(text).toMatchFileSnapshot('../../facades/cli/client/operations.json')
})
