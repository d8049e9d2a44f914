/** Texts that mean harm wherever they are not escaped. */
export const hostile = [
  '<script>alert(1)</script>',
  '"onmouseover="alert(1)',
  "'><img src=x onerror=alert(1)>",
  '</title></textarea></select>',
  '&lt;b&gt;',
  '{{7*7}}<%= 7*7 %>',
];
