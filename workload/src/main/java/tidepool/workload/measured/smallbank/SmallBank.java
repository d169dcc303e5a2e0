package tidepool.workload.measured.smallbank;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checks;
import tidepool.store.TableInfo;
import tidepool.store.schema.Fields.LongField;
import tidepool.store.schema.Keys;
import tidepool.store.schema.Schema;
import tidepool.store.schema.Type;
import tidepool.workload.measured.Client;
import tidepool.workload.measured.Findings;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.RowSink;
import tidepool.workload.measured.RowSource;
import tidepool.workload.measured.Scale;
import tidepool.workload.measured.TableSpec;
import tidepool.workload.measured.WorkloadOptions;

/**
 * SmallBank (Alomari, Cahill, Fekete, Röhm, ICDE 2008): every customer has a savings and a checking account; six short
 * transactions, most of them on a small hot set. Money is cents in a whole number.
 *
 * <pre>
 *   transaction        share   writes                               reads
 *   amalgamate          15 %   both accounts of a, checking of b
 *   balance             15 %                                        both accounts of a
 *   deposit-checking    15 %   checking of a
 *   send-payment        25 %   checking of a, checking of b
 *   transact-savings    15 %   savings of a
 *   write-check         15 %   checking of a                        savings of a
 * </pre>
 *
 * With names, as in the original, each begins by looking up its customers in a third table.
 */
public final class SmallBank implements MeasuredWorkload {
    static final int AMALGAMATE = 0;
    static final int BALANCE = 1;
    static final int DEPOSIT_CHECKING = 2;
    static final int SEND_PAYMENT = 3;
    static final int TRANSACT_SAVINGS = 4;
    static final int WRITE_CHECK = 5;

    static final int SAVINGS = 0;
    static final int CHECKING = 1;
    static final int NAMES = 2;

    // Of the book; the first two are the numbers of the tables whose money changed.
    static final int WRONG = 2;

    /** Cents that the artifacts give to every account. */
    private static final long PAPER_CENTS = 100_000_000_000L;

    /** More would not fit into the sum of all money. */
    private static final long MOST_ACCOUNTS = 40_000_000;

    static final LongField CENTS = schema("savings", "cents").longField("cents");
    static final LongField CUSTOMER = schema("customers", "customer").longField("customer");

    final long accounts;
    final long hot;
    final int hotShare;
    final boolean names;
    private final boolean paper;

    /**
     * @param accounts customers, from 0
     * @param hot how many of them, from 0, are hot
     * @param hotShare of a hundred transactions that choose from the hot
     * @param names whether customers are looked up by name
     * @param paper whether all accounts begin with as much as in the artifacts, or with 10,000 to 50,000 dollars
     */
    public SmallBank(long accounts, long hot, int hotShare, boolean names, boolean paper) {
        Checks.argument(
                hot >= 2 && hot <= accounts,
                "hot of smallbank takes 2 to as many as there are accounts (" + accounts + "), not " + hot);
        this.accounts = accounts;
        this.hot = hot;
        this.hotShare = hotShare;
        this.names = names;
        this.paper = paper;
    }

    /** From its options. */
    public static SmallBank of(WorkloadOptions options, Scale scale) {
        boolean paper = scale == Scale.PAPER;
        long accounts = options.number("accounts", paper ? 100_000 : 1_000_000, 2, MOST_ACCOUNTS);
        return new SmallBank(
                accounts,
                options.number("hot", paper ? Math.max(2, accounts / 25) : accounts, 2, MOST_ACCOUNTS),
                (int) options.number("hotshare", 90, 0, 100),
                options.choice("names", paper ? "off" : "on", List.of("on", "off"))
                        .equals("on"),
                paper);
    }

    /** Customers, from 0. For those who ask other stores for the same. */
    public long accounts() {
        return accounts;
    }

    /** How many of the customers, from 0, are hot. */
    public long hot() {
        return hot;
    }

    /** Of a hundred transactions, those that choose from the hot. */
    public int hotShare() {
        return hotShare;
    }

    /** Whether customers are looked up by name. */
    public boolean names() {
        return names;
    }

    /** Every update of an account changes its money; names are looked up and not changed. */
    private static Schema schema(String table, String attribute) {
        Schema schema = Schema.builder(table).attribute(attribute, Type.LONG).build();
        return schema.withUpdates(table.equals("customers") ? "never" : "1 " + attribute);
    }

    @Override
    public String name() {
        return "smallbank";
    }

    @Override
    public String settings() {
        String chosen = hot == accounts ? "uniform" : hotShare + " % of transactions on " + hot;
        return accounts + " customers, " + chosen + (names ? ", looked up by name" : "");
    }

    @Override
    public List<String> types() {
        return List.of("amalgamate", "balance", "deposit-checking", "send-payment", "transact-savings", "write-check");
    }

    @Override
    public List<TableSpec> tables() {
        List<TableSpec> tables = new ArrayList<>();
        tables.add(new TableSpec(schema("savings", "cents"), accounts));
        tables.add(new TableSpec(schema("checking", "cents"), accounts));
        if (names) tables.add(new TableSpec(schema("customers", "customer"), accounts));
        return List.copyOf(tables);
    }

    @Override
    public List<String> books() {
        return List.of("cents in savings", "cents in checking", "accounts missing");
    }

    @Override
    public void load(RowSink rows, int share, int shares) {
        for (long account = share; account < accounts; account += shares) {
            for (int table = SAVINGS; table <= CHECKING; table++) {
                long at = rows.row(table, account);
                CENTS.set(rows.memory(), at, first(table, account));
            }
            if (!names) continue;
            long at = rows.row(NAMES, name(account));
            CUSTOMER.set(rows.memory(), at, account);
        }
    }

    /** What an account begins with. */
    private long first(int table, long account) {
        return paper ? PAPER_CENTS : 1_000_000 + Long.remainderUnsigned(Keys.hash(account, table), 4_000_001);
    }

    /** The name of a customer, as a key. */
    static long name(long account) {
        return Keys.hash(account);
    }

    @Override
    public Client client(List<TableInfo> tables, int number, int clients, long seed) {
        return new SmallBankClient(this, tables, number, seed);
    }

    @Override
    public List<String> check(RowSource rows, long[] book) {
        Findings findings = new Findings();
        checkMoney(rows, SAVINGS, "savings", book[SAVINGS], findings);
        checkMoney(rows, CHECKING, "checking", book[CHECKING], findings);
        for (long account = 0; names && account < accounts; account++) {
            if (!rows.read(NAMES, name(account)) || CUSTOMER.get(rows.memory(), rows.value()) != account)
                findings.add("customer " + account + " cannot be looked up by name");
        }
        findings.same("accounts that committed transactions did not find", 0, book[WRONG]);
        return findings.list();
    }

    private void checkMoney(RowSource rows, int table, String name, long change, Findings findings) {
        long expected = change;
        long found = 0;
        for (long account = 0; account < accounts; account++) {
            expected += first(table, account);
            if (rows.read(table, account)) found += CENTS.get(rows.memory(), rows.value());
            else findings.add("account " + account + " of " + name + " is missing");
        }
        findings.same("cents in " + name, expected, found);
    }
}
