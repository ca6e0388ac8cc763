import { describe, expect, it } from 'vitest'
import { sharedRenderer } from '../support/renderer.ts'
import { htmlOf, renderIn } from './site.ts'

const renderer = sharedRenderer()

const show = async (template: string) => htmlOf(await renderIn(renderer, template))

/** The results of Ruby's `Time#strftime` (3.1, in UTC) for this moment. */
const MOMENT = '2026-11-07T15:04:05.678Z'

describe('a date format', () => {
  it.each([
    ['%F %T %D %R', '2026-11-07 15:04:05 11/07/26 15:04'],
    ['%r|%v|%c', '03:04:05 PM| 7-NOV-2026|Sat Nov  7 15:04:05 2026'],
    ['%x %X %G-W%V-%u %g %C', '11/07/26 15:04:05 2026-W45-6 26 20'],
    ['%a %A %b %B %h %p %P %Z %z', 'Sat Saturday Nov November Nov PM pm UTC +0000'],
    ['%d %-d %e %j %U %W %w %y %m %-m', '07 7  7 311 44 44 6 26 11 11'],
    ['%H %I %k %l %M %S %s', '15 03 15  3 04 05 1794063845'],
    ['%L %N %3N %6N %10N %1L', '678 678000000 678 678000 6780000000 6'],
    ['%^a %^B %#b %#p %#Z %^v', 'SAT NOVEMBER NOV pm utc  7-NOV-2026'],
    ['%:z %::z %:::z %_z %10z', '+00:00 +00:00:00 +00  +000 +000000000'],
    ['%5d|%05d|%_5d|%-5d|%_m|%10A|%010A', '00007|00007|    7|7|11|  Saturday|00Saturday'],
    ['%10F|%12F|%012R|%-12R', '2026-11-07|  2026-11-07|000000015:04|       15:04'],
    ['%EY %Oy %Ed', '2026 26 %Ed'],
    ['%n%t%%|%10n', '\n\t%|         \n'],
    ['%Q %f %i %J %', '%Q %f %i %J %'],
    ['%9999d', '%9999d'],
    ['%-d%q', '7th'],
  ])('is read as by Ruby: %s', async (format, expected) => {
    expect(await show(`{{ "${MOMENT}" | date: "${format}" | raw }}`)).toBe(expected)
  })

  it.each([
    ['2021-01-03', '2020-W53-7 01 00'],
    ['2024-12-30', '2025-W01-1 52 53'],
    ['2000-01-01', '1999-W52-6 00 00'],
  ])('numbers weeks by ISO, from Sunday and from Monday: %s', async (date, expected) => {
    expect(await show(`{{ "${date}" | date: "%G-W%V-%u %U %W" }}`)).toBe(expected)
  })

  it('pads years before 1000 and before Christ', async () => {
    expect(await show('{{ "0044-03-15" | date: "%Y %y" }} {{ "-0044-03-15" | date: "%Y" }}')).toBe(
      '0044 44 -0044',
    )
  })
})

describe('a text is read as a date', () => {
  it.each([
    ['2026-11-07', '2026-11-07 00:00:00.000'],
    ['2026-11-07T15:04', '2026-11-07 15:04:00.000'],
    ['2026-11-07 15:04:05.678901', '2026-11-07 15:04:05.678'],
    ['2026-11-07T15:04:05+09:00', '2026-11-07 06:04:05.000'],
    ['2026-11-07T24:00:00', '2026-11-08 00:00:00.000'],
    ['2026-11-07 15:04 CET', '2026-11-07 15:04:00.000'],
    ['2026-02-30', '2026-03-02 00:00:00.000'],
    ['2026-311', '2026-11-07 00:00:00.000'],
    ['2026-11', '2026-11-01 00:00:00.000'],
    ['20261107T150405Z', '2026-11-07 15:04:05.000'],
    // Day first.
    ['03.04.2026', '2026-04-03 00:00:00.000'],
    ['3.4.2026', '2026-04-03 00:00:00.000'],
    ['03.04.26', '2026-04-03 00:00:00.000'],
    ['27.11.2026 15:04', '2026-11-27 15:04:00.000'],
    ['27.11.2026, 15:04 Uhr', '2026-11-27 15:04:00.000'],
    ['2026.11.07', '2026-11-07 00:00:00.000'],
    ['03/04/2026', '2026-04-03 00:00:00.000'],
    ['03-04-2026', '2026-04-03 00:00:00.000'],
    ['2026/11/07', '2026-11-07 00:00:00.000'],
    // With the name of the month.
    ['November 27th, 2026', '2026-11-27 00:00:00.000'],
    ['Nov 27, 2026', '2026-11-27 00:00:00.000'],
    ['27 November 2026', '2026-11-27 00:00:00.000'],
    ['27th of November, 2026', '2026-11-27 00:00:00.000'],
    ['7. Nov. 2026', '2026-11-07 00:00:00.000'],
    ['7-Nov-2026', '2026-11-07 00:00:00.000'],
    ['Nov 2026', '2026-11-01 00:00:00.000'],
    ['Sept. 5, 2026', '2026-09-05 00:00:00.000'],
    ['Sat, 7 Nov 2026 15:04:05 GMT', '2026-11-07 15:04:05.000'],
    ['Saturday, November 7, 2026 at 3:04 PM', '2026-11-07 15:04:00.000'],
    ['November 7, 2026, 12 a.m.', '2026-11-07 00:00:00.000'],
    ['7 Nov 2026 15:04:05 -0500', '2026-11-07 20:04:05.000'],
    // Inside other text.
    ['Posted on November 27, 2026 by Ana', '2026-11-27 00:00:00.000'],
    ['Seconds since 1970: 1794063845', 'Seconds since 1970: 1794063845'],
    ['1794063845', '2026-11-07 15:04:05.000'],
  ])('%s', async (text, expected) => {
    expect(await show(`{{ "${text}" | date: "%F %T.%L" }}`)).toBe(expected)
  })

  it('even if the year or the day is missing', async () => {
    expect(await show('{{ "7 November" | date: "%d %m" }} {{ "March" | date: "%d %m" }}')).toBe('07 11 01 03')
    expect(await show('{{ "10:30" | date: "%I:%M %p" }} {{ "7pm" | date: "%H" }}')).toBe('10:30 AM 19')
    expect(await show('{{ "Now" | date: "%Y" }}')).toBe(await show('{{ "now" | date: "%Y" }}'))
  })
})

describe('a value that is no date stays as it is', () => {
  it.each([
    'Summer 2026',
    'Room 5',
    'Room 12',
    'Chapter 7',
    'Chapter 1226',
    'May I come in?',
    'Marching band',
    'Version 1.2.3',
    '12 Marines',
    'Matthew 5:3',
    'Doors at 7pm or later',
    '3/4 cup of milk',
    '2026-13-01',
    '11/27/2026',
    '99.99.2026',
    '25:00',
    'Monday',
    'tomorrow',
    'nonsense',
    '12,50 EUR',
    '+49 30 1234567',
    '192.168.1.1',
    '１２月７日',
    ' ',
  ])('%s', async text => {
    for (const filter of ['date: "%B %d, %Y"', 'date_to_string', 'date_to_long_string', 'date_to_rfc822'])
      expect(await show(`{{ "${text}" | ${filter} }}`)).toBe(text)
    expect(await show(`{{ "${text}" | date_to_xmlschema }}`)).toBe(text)
  })

  it.each([
    ['true', 'true'],
    ['nil', ''],
    ['1.5', '1.5'],
    ['(1..3)', '123'],
    ['space.nothing', ''],
    ['99999999999999999', '100000000000000000'],
  ])('%s', async (value, expected) => {
    expect(await show(`{{ ${value} | date: "%Y" }}`)).toBe(expected)
  })
})

describe('Jekyll’s date filters', () => {
  it.each([
    ['date_to_string', '07 Nov 2026'],
    ['date_to_string: "ordinal"', '7th Nov 2026'],
    ['date_to_long_string: "ordinal", "US"', 'November 7th, 2026'],
    ['date_to_rfc822', 'Sat, 07 Nov 2026 15:04:05 +0000'],
    ['date_to_xmlschema', '2026-11-07T15:04:05+00:00'],
  ])('%s', async (filter, expected) => {
    expect(await show(`{{ "7.11.2026 15:04:05" | ${filter} }}`)).toBe(expected)
  })
})

describe('time zones and languages', () => {
  it.each([
    ['date: "%H:%M %z %Z", timezone: "Europe/Berlin"', '16:04 +0100 GMT+1'],
    ['date: "%H:%M %:z", "America/St_Johns"', '11:34 -03:30'],
    ['date: "%F %H:%M %z", timezone: "+09:30"', '2026-11-08 00:34 +0930'],
    ['date: "%H:%M %z", -120', '17:04 +0200'],
    ['date: "%H:%M", timezone: "Mars/Phobos"', '15:04'],
    ['date: "%A, %-d. %B %Y", lang: "de"', 'Samstag, 7. November 2026'],
    ['date: "%a %b", lang: "fr"', 'sam. nov.'],
    ['date: "%-d %B %Y", lang: "ru"', '7 ноября 2026'],
    ['date: "%B %Y", lang: "ru"', 'ноябрь 2026'],
    ['date: "%^A", lang: "tr"', 'CUMARTESİ'],
    ['date: "%A", lang: "klingon"', 'Saturday'],
    ['date: "%A", lang: "not a language"', 'Saturday'],
    ['date_to_long_string: lang: "es", timezone: "Asia/Tokyo"', '08 noviembre 2026'],
  ])('%s', async (filter, expected) => {
    expect(await show(`{{ "${MOMENT}" | ${filter} }}`)).toBe(expected)
  })

  it('follow summer time', async () => {
    const at = (time: string) => `{{ "2026-${time}Z" | date: "%H:%M ", "Europe/Berlin" }}`
    expect(await show(at('03-29T00:59') + at('03-29T01:00') + at('10-25T00:59') + at('10-25T01:00'))).toBe(
      '01:59 03:00 02:59 02:00 ',
    )
  })
})

describe('money', () => {
  it.each([
    ['145 | money', '$1.45'],
    ['"1099" | money', '$10.99'],
    ['1999.5 | money', '$20.00'],
    ['-500 | money', '-$5.00'],
    ['1000000 | money_with_currency', '$10,000.00 USD'],
    ['123456 | money_without_currency', '1,234.56'],
    ['2000 | money_without_trailing_zeros', '$20'],
    ['2050 | money_without_trailing_zeros', '$20.50'],
    ['123456 | money: "EUR", lang: "de"', '1.234,56 €'],
    ['123456 | money: currency: "eur"', '€1,234.56'],
    ['100000 | money: "JPY"', '¥1,000'],
    ['4.5 | times: 100 | money: "CHF"', 'CHF 4.50'],
    ['"soon" | money', 'soon'],
    ['nil | money', ''],
    ['5 | money: "many"', '$0.05'],
  ])('%s', async (filter, expected) => {
    expect((await show(`{{ ${filter} }}`)).replaceAll('\u00a0', ' ')).toBe(expected)
  })
})
