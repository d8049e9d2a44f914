import type { CountedWords } from '../../read/worded-count.js';

type Words = readonly [
  followers?: string,
  connections?: string,
  employees?: string,
  comments?: string,
  pages?: string,
];

/** What pages count, in the platform's languages (2026-11). Each word ends where its forms differ. */
const words: Readonly<Record<string, Words>> = {
  ar: ['متابع', 'زملاء|زميل|جهات اتصال|جهة اتصال'],
  bn: ['ফলোয়ার|অনুসরণকারী', 'সংযোগ|কানেকশন'],
  cs: ['sleduj', 'spojení|kontakt', 'zaměstnan'],
  da: ['følger', 'forbindelse|kontakt', 'medarbejder', 'kommentar'],
  de: ['follower(?!s)', 'kontakt', 'mitarbeit|beschäftigt', 'kommentar', 'seite'],
  el: ['ακόλουθ', 'συνδέσεις|επαφές'],
  en: ['followers', 'connection', 'employee', 'comment', 'page'],
  es: ['seguidor', 'contacto|conexi', 'emplead', 'comentari', 'página'],
  fa: ['دنبال.?کننده'],
  fi: ['seuraaj', 'yhtey|verkosto'],
  fil: ['tagasubaybay', 'koneksyon'],
  fr: ['abonné', 'relation', 'employé', 'commentaire', 'page'],
  he: ['עוקב', 'קשרים'],
  hi: ['फ़ॉलोअर|फॉलोअर|फ़ॉलोवर|फॉलोवर', 'कनेक्शन'],
  hu: ['követő', 'kapcsolat'],
  id: ['pengikut', 'koneksi', 'karyawan'],
  it: ['follower(?!s)', 'collegament', 'dipendent', 'comment', 'pagin'],
  ja: ['フォロワー', '(?:人の)?つながり', '社員|従業員'],
  ko: ['팔로워', '1촌', '직원'],
  mr: ['फॉलोअर|अनुयायी'],
  ms: ['pengikut', 'kenalan|sambungan'],
  nl: ['volger', 'connectie', 'medewerker', 'reactie|opmerking', 'pagina'],
  no: ['følger', 'forbindelse|kontakt', 'ansatt', 'kommentar'],
  pa: ['ਫਾਲੋਅਰ|ਫ਼ਾਲੋਅਰ'],
  pl: ['obserw', 'kontakt', 'pracownik', 'komentarz'],
  pt: ['seguidor', 'conex', 'funcionári', 'comentári', 'página'],
  ro: ['urmăritor', 'relați|conexiun|contact', 'angajaț'],
  ru: ['отслежива|подписчик', 'контакт', 'сотрудник'],
  sv: ['följare', 'kontakt', 'anställd', 'kommentar'],
  te: ['అనుచరు|ఫాలోవర్'],
  th: ['ผู้ติดตาม', 'คนรู้จัก'],
  tr: ['takipçi', 'bağlantı', 'çalışan', 'yorum'],
  uk: ['відстежувач|підписник|стежать', 'контакт', 'працівник|співробітник'],
  vi: ['người theo dõi', 'kết nối'],
  zh: ['关注者', '位好友|好友', '员工'],
  'zh-TW': ['關注者|追蹤者', '位聯絡人|聯絡人|位好友', '員工'],
};

const wordsFor = (thing: number): CountedWords =>
  Object.fromEntries(
    Object.entries(words).flatMap(([language, of]) => {
      const word = of[thing];
      return word === undefined ? [] : [[language, word]];
    }),
  );

export const followers = wordsFor(0);
export const connections = wordsFor(1);
export const employees = wordsFor(2);
export const comments = wordsFor(3);
export const pages = wordsFor(4);
