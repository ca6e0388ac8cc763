/*
 * For public pages of a signed-in reader: shows times in the reader's time zone, and the number of unread notifications.
 * Without this script, times are in UTC.
 */
{
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  for (const time of document.querySelectorAll('time')) {
    time.title = time.textContent
    time.textContent = format.format(new Date(time.dateTime))
  }

  const { unread, max } = document.currentScript.dataset
  const showUnread = async () => {
    const response = await fetch(unread)
    if (!response.ok) return
    const { count } = (await response.json()).result.data
    if (count === 0) return
    const number = document.createElement('span')
    number.className = 'count'
    number.textContent = count < max ? count : `${max - 1}+`
    const meaning = document.createElement('span')
    meaning.className = 'hidden'
    meaning.textContent = ' unread'
    document.querySelector('.top a[href$="/admin/notifications"]').append(' ', number, meaning)
  }
  // A page without the number is complete: the notifications say what is unread.
  showUnread().catch(() => {})
}
