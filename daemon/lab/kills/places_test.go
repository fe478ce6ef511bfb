package kills

// phase is what the program does while it is ended.
type phase string

const (
	recording   phase = "recording" // events arrive, a session is submitted
	training    phase = "training"
	crawling    phase = "crawling"
	migrating   phase = "migrating" // an older database is opened
	backingUp   phase = "backing up"
	keeping     phase = "keeping" // the daemon makes a backup of its own
	restoring   phase = "restoring"
	erasingSite phase = "erasing" // a site
	wiping      phase = "wiping"  // everything is erased
	importing   phase = "importing"
	stopping    phase = "stopping" // by SIGTERM
	leasing     phase = "leasing"  // workers fetch for a crawl
)

// places are the names that failpoint.Here has in the source, and the phases in which the program is ended there.
var places = map[string][]phase{
	"ingest.stored":             {recording},
	"ingest.before-ack":         {recording},
	"ingest.acked":              {recording},
	"store.ingest.event":        {recording},
	"store.write.before-commit": {recording, training, crawling, erasingSite, wiping},
	"store.write.after-commit":  {recording, training, crawling, erasingSite, wiping},
	"store.import.staged":       {importing},
	"store.import.decided":      {importing},
	"store.import.event":        {importing},
	"import.stored":             {importing},

	"trainer.read":        {training},
	"trainer.has-learned": {training},
	"trainer.before-save": {training},
	"trainer.saved":       {training},
	"trainer.assessed":    {training},

	"crawl.before-fetch":      {crawling},
	"crawl.fetched":           {crawling},
	"crawl.before-end":        {crawling},
	"store.journal.packed":    {crawling},
	"store.journal.committed": {crawling},
	"archive.file-begun":      {crawling},
	"archive.before-write":    {crawling},
	"archive.written":         {crawling},
	"archive.file-synced":     {crawling},
	"store.tasks.arrived":     {leasing},

	"store.migrate.before-copy":    {migrating},
	"store.migrate.copy-written":   {migrating},
	"store.migrate.copied":         {migrating},
	"store.migrate.step-applied":   {migrating},
	"store.migrate.before-commit":  {migrating},
	"store.migrate.step-committed": {migrating},

	"store.backup.copied":    {backingUp},
	"backup.copied":          {backingUp},
	"backup.database-added":  {backingUp},
	"backup.before-manifest": {backingUp},
	"backup.before-rename":   {backingUp},
	"backup.written":         {backingUp},

	"weekly-backup.written": {keeping},
	"weekly-backup.named":   {keeping},

	"restore.unpacked":     {restoring},
	"restore.prepared":     {restoring},
	"restore.plan-written": {restoring},
	"restore.before-adopt": {restoring},
	"restore.adopted":      {restoring},
	"restore.confirmed":    {restoring},
	"restore.apply-step":   {restoring},

	"erase-site.begin":               {erasingSite},
	"erase-site.archive-erased":      {erasingSite},
	"erase-site.erased":              {erasingSite},
	"erasing.rows-deleted":           {erasingSite},
	"store.unlink.committed":         {erasingSite},
	"archive.rewrite.before-rename":  {erasingSite},
	"archive.rewrite.renamed":        {erasingSite},
	"archive.rewrite.moved":          {erasingSite},
	"store.erase-host.links-deleted": {erasingSite},
	"store.erase-host.deleted":       {erasingSite},
	"store.scrub-step":               {erasingSite, wiping},

	"erase-all.revoked":        {wiping},
	"erase-all.archive-erased": {wiping},
	"erase-all.rows-erased":    {wiping},
	"store.erase-all.deleted":  {wiping},

	"store.checkpoint": {erasingSite},
	"store.close":      {stopping},
}
