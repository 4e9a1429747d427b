const holder = document.getElementById('gridcast-report');
const report = JSON.parse(holder.textContent);
document.title = report.title;
document.getElementById('page').textContent = [report.title, ...report.answer].join('\n');
