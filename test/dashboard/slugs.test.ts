import { describe, expect, test } from 'vitest'
import { slugOf } from '../../facades/admin/ui/slug.ts'
import { rules } from '../../routers/api/rules.ts'

const { max_length, pattern } = rules.page.slug

describe('the slug of a title', () => {
  test.each([
    ['Über uns & mehr', 'ueber-uns-mehr'],
    ['Café am Fluß', 'cafe-am-fluss'],
    ['Käse', 'kaese'],
    ['U\u0308ber', 'ueber'],
    ['L’été à Besançon', 'lete-a-besancon'],
    ['Zażółć gęślą jaźń', 'zazolc-gesla-jazn'],
    ['ÇALIŞMA ışığı', 'calisma-isigi'],
    ['İstanbul', 'istanbul'],
    ['Příliš žluťoučký kůň', 'prilis-zlutoucky-kun'],
    ['Smörgåsbord Ærø', 'smoergasbord-aero'],
    ['Đặng Thị', 'dang-thi'],
    ['Съешь ещё этих булок', 'sesh-eshche-etikh-bulok'],
    ['Київ і Львів', 'kiyiv-i-lviv'],
    ['Άνθρωπος', 'anthropos'],
    ['２０２６ – ﬁne', '2026-fine'],
    ['  --a/b__c--  ', 'a-b-c'],
    ['日本語', ''],
    ['🌱 & 🌳', ''],
  ])('%s → %s', (title, slug) => {
    expect(slugOf(title, max_length)).toBe(slug)
  })

  test('is cut at the maximum length, and never ends with a hyphen', () => {
    const title = `${'a'.repeat(max_length - 1)} b`
    expect(slugOf(title, max_length)).toBe('a'.repeat(max_length - 1))
    expect(slugOf('ß'.repeat(max_length), max_length)).toMatch(new RegExp(pattern))
  })
})
