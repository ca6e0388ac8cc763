import { beforeAll, describe, expect, it } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { useTestService } from '../support/test-service.ts'
import { type RawResponse, request } from './support/http.ts'
import { statusAndFields } from './support/responses.ts'

const service = useTestService()
let path: string
let headers: Record<string, string>

beforeAll(async () => {
  const space = await service.createSpace()
  path = `/v1/spaces/${space.subdomain}/data/value`
  headers = {
    Authorization: `Bearer ${await space.key(...SPACE_SCOPES)}`,
    'Content-Type': 'application/json',
  }
})

/** Writes a value that is given as JSON text. */
const put = (json: string) => request(service.root, 'PUT', path, { headers, body: `{"value":${json}}` })

/** Returns the JSON text of `value` in a response, exactly as received. */
const valueText = ({ text }: RawResponse) =>
  text.slice(text.indexOf('"value":') + 8, text.lastIndexOf(',"description":null'))

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)

describe('a stored value', () => {
  it.each([
    'null',
    'true',
    'false',
    '0',
    '-1.5e-7',
    '1e+308',
    '5e-324',
    '0.1',
    '9007199254740991',
    '""',
    '"text"',
    '[]',
    '{}',
    '[null,[],{},""]',
    '{"b":1,"a":2}',
    '{"z":{"y":{"x":1}},"a":[]}',
    '{"":""}',
    '{"__proto__":{"polluted":true}}',
    '{"a":{"__proto__":null,"constructor":1,"toString":2,"hasOwnProperty":3}}',
    '[{"__proto__":[1]},{"__proto__":[2]}]',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"1":"a","2":"b","10":"c","x":"d"}',
    '"\\u0000"',
    '{"\\u0000":"\\u0000\\u0001"}',
    '"\\ud800"',
    '{"\\udfff":"\\ud83d"}',
    '"🌱 é e\u0301 \uffff \u2028 \u202e"',
    '"  kept  \\n"',
    '"</script><!--"',
    '"\\\\ \\" /"',
    '{"toJSON":1}',
    '{"$ref":"#","type":"x"}',
  ])('is returned as JSON.parse reads it: %s', async json => {
    const written = await put(json)
    expect(written.status).toBe(200)
    const text = JSON.stringify(JSON.parse(json))
    expect(valueText(written)).toBe(text)
    const read = await request(service.root, 'GET', path, { headers })
    expect(valueText(read)).toBe(text)
    const list = await request(service.root, 'GET', path.replace('/value', ''), { headers })
    expect(valueText(list)).toBe(text)
  })

  it('is returned with integer-like keys first, in ascending order, as in JavaScript', async () => {
    expect(valueText(await put('{"b":1,"10":2,"9":3,"a":4}'))).toBe('{"9":3,"10":2,"b":1,"a":4}')
  })

  it('is returned with numbers rounded to doubles, and -0 as 0', async () => {
    expect(valueText(await put('[9007199254740993,0.1000000000000000055,1e-400,-0,1.0]'))).toBe(
      '[9007199254740992,0.1,0,0,1]',
    )
  })

  it('is returned with only the last of duplicate keys', async () => {
    expect(valueText(await put('{"a":1,"b":2,"a":3}'))).toBe('{"a":3,"b":2}')
  })

  it('does not modify any JavaScript prototype', async () => {
    await put('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('an invalid value', () => {
  it.each(['1e400', '-1e400', '[1e309]', '{"a":{"b":[0,1e999]}}'])(
    'is rejected if it has a number beyond the range of doubles: %s',
    async json => {
      expect(statusAndFields(await put(json))).toEqual([422, 'value'])
    },
  )

  it('is rejected if it is nested deeper than 32 levels', async () => {
    expect((await put(nested(32))).status).toBe(200)
    expect((await put(nested(31, '{"a":', '}').replace('}', '1}'))).status).toBe(200)
    expect((await put(`${'{"a":'.repeat(32)}1${'}'.repeat(32)}`)).status).toBe(200)
    expect((await put(`${'[{"a":'.repeat(16)}1${'}]'.repeat(16)}`)).status).toBe(200)
    for (const json of [
      nested(33),
      `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
      `[${'[{"a":'.repeat(16)}1${'}]'.repeat(16)}]`,
      `[1,2,${nested(32)}]`,
      nested(900),
      nested(1000),
      nested(100_000),
      `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    ])
      expect(statusAndFields(await put(json))).toEqual([422, 'value'])
  })

  it('is rejected with one error for every rule that it breaks', async () => {
    const rules = (json: string) =>
      put(json).then(({ body }) => (body.errors as { message: string }[]).map(({ message }) => message))
    const tooDeep = 'must not be nested deeper than 32 levels'
    const tooLarge = (size: number) => `must be at most 65536 bytes as compact JSON, but is ${size}`
    expect(await rules(`[${nested(900)},"${'a'.repeat(70_000)}"]`)).toEqual([tooDeep, tooLarge(71_805)])
    expect(await rules(`[${nested(33)},1e400,"${'é'.repeat(40_000)}",{"a" : 1, "b":[1, 2]}]`)).toEqual([
      tooDeep,
      'must not contain a number outside the range of a double',
      tooLarge(80_094),
    ])
  })

  it('is rejected if it is longer than 65536 bytes as compact JSON in UTF-8', async () => {
    const fill = (bytes: number, unit: string) => `"${unit.repeat((bytes - 2) / Buffer.byteLength(unit))}"`
    expect((await put(fill(65_536, 'a'))).status).toBe(200)
    expect((await put(fill(65_536, 'é'))).status).toBe(200)
    expect((await put(`"🌱${'a'.repeat(65_530)}"`)).status).toBe(200)
    expect((await put(`  {  "a" :  ${fill(65_530, 'a')} \n}${' '.repeat(1000)}`)).status).toBe(200)
    for (const json of [
      fill(65_537, 'a'),
      `"🌱${'a'.repeat(65_531)}"`,
      `{"a":${fill(65_531, 'a')}}`,
      `[${'1,'.repeat(32_768)}1]`,
      fill(1_000_002, 'a'),
    ])
      expect(statusAndFields(await put(json))).toEqual([422, 'value'])
  })

  it('is rejected if its JSON is longer than 65536 bytes after unnecessary escapes are removed', async () => {
    expect((await put(`"${'\\u0000'.repeat(10_922)}ab"`)).status).toBe(200)
    expect(statusAndFields(await put(`"${'\\u0000'.repeat(10_922)}abc"`))).toEqual([422, 'value'])
    expect((await put(`"${'\\u0061'.repeat(65_534)}"`)).status).toBe(200)
  })
})
