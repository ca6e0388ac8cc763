import { expect, test } from 'vitest'
import { readCsv } from '../../facades/admin/table/read-csv.ts'

const MARK = '\ufeff'

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

/** What programs write for a table with a header and one row. */
const FILES: [program: string, content: string | Buffer][] = [
  ['Google Sheets, Numbers and LibreOffice', 'a,b\nä,"1,5"\n'],
  ['Google Sheets, as TSV', 'a\tb\r\nä\t1,5'],
  ['Excel, as CSV UTF-8', `${MARK}a;b\r\nä;1,5\r\n`],
  ['Excel, as CSV on Windows', Buffer.from('a;b\r\nä;1,5\r\n', 'latin1')],
  ['Excel, as Unicode Text', Buffer.from(`${MARK}a\tb\r\nä\t1,5\r\n`, 'utf16le')],
  ['a program that writes big-endian UTF-16', utf16be(`${MARK}a\tb\r\nä\t1,5\r\n`)],
  ['Excel for an old Mac', 'a;b\rä;1,5\r'],
  ['a program that names its delimiter', 'sep=;\r\na;b\r\nä;1,5\r\n'],
  ['a program that names its delimiter in quotes', '"sep=;"\na;b\nä;1,5\n'],
  ['a program that names its delimiter after a byte order mark', `${MARK}SEP=;\r\na;b\r\nä;1,5\r\n`],
  ['a program that names a tab', 'sep=\t\r\na\tb\r\nä\t1,5\r\n'],
  ['a program that names a rare delimiter', 'sep=|\na|b\nä|1,5\n'],
  [
    'a program that names its delimiter in UTF-16',
    Buffer.from(`${MARK}sep=;\r\na;b\r\nä;1,5\r\n`, 'utf16le'),
  ],
  ['a person who left empty lines at the beginning and the end', '\r\n\na;b\n;\nä;1,5\n;\n\n'],
  ['a program that quotes everything', '"a";"b"\r\n"ä";"1,5"\r\n'],
]

test.each(FILES)('a CSV file is read as %s writes it', async (_program, content) => {
  const file = new File([typeof content === 'string' ? content : new Uint8Array(content)], 't.csv')
  expect(await readCsv(file)).toEqual([
    ['a', 'b'],
    ['ä', '1,5'],
  ])
})

test.each<[what: string, content: string, rows: string[][]]>([
  [
    'a column called sep',
    'sep,a\n1,2\n',
    [
      ['sep', 'a'],
      ['1', '2'],
    ],
  ],
  [
    'a first column whose name begins with sep=',
    'sep=x,a\n1,2\n',
    [
      ['sep=x', 'a'],
      ['1', '2'],
    ],
  ],
])('%s is no line that names the delimiter', async (_what, content, rows) => {
  expect(await readCsv(new File([content], 't.csv'))).toEqual(rows)
})

test.each<[what: string, content: string | Buffer, message: string]>([
  ['a file with nothing but a header', 'a,b\n', 't.csv has no rows below its header.'],
  ['a file with nothing but the name of its delimiter', 'sep=;\n', 't.csv has no rows below its header.'],
  ['an empty file', '', 't.csv has no rows below its header.'],
  ['a spreadsheet', Buffer.from('PK\x03\x04\0\0'), 't.csv is not a CSV file.'],
  ['a file that is too large', 'x'.repeat(262_145), 't.csv is too large for a record.'],
])('%s is refused with a reason', async (_what, content, message) => {
  expect(
    await readCsv(new File([typeof content === 'string' ? content : new Uint8Array(content)], 't.csv')),
  ).toBe(message)
})
