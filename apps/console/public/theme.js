// Sets theme, language and direction before anything is painted. A file of its own, for the page allows no inline script.
;(function () {
  var root = document.documentElement
  var cookie = function (name) {
    var found = document.cookie.split('; ').find(function (part) {
      return part.indexOf('WEFT-' + name + '=') === 0
    })
    return found ? decodeURIComponent(found.slice(found.indexOf('=') + 1)) : ''
  }
  var theme = cookie('theme')
  if (theme !== 'light' && theme !== 'system') theme = 'dark'
  var dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  var language = 'en'
  try {
    language = localStorage.getItem('Lang::I18n') || 'en'
  } catch {
    // No storage: the default language.
  }
  if (language !== 'fr' && language !== 'ar') language = 'en'
  root.lang = language
  root.dir = language === 'ar' ? 'rtl' : 'ltr'
})()
