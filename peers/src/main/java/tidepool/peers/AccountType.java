package tidepool.peers;

import java.nio.ByteBuffer;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/** How MVStore writes accounts: two words. */
final class AccountType extends BasicDataType<Account> {
    private static final int HEAP_BYTES = 32;

    @Override
    public int getMemory(Account account) {
        return HEAP_BYTES;
    }

    @Override
    public boolean isMemoryEstimationAllowed() {
        return true;
    }

    @Override
    public void write(WriteBuffer buffer, Account account) {
        buffer.putLong(account.cents()).putLong(account.changes());
    }

    @Override
    public Account read(ByteBuffer buffer) {
        return new Account(buffer.getLong(), buffer.getLong());
    }

    @Override
    public int compare(Account a, Account b) {
        int byCents = Long.compare(a.cents(), b.cents());
        return byCents != 0 ? byCents : Long.compare(a.changes(), b.changes());
    }

    @Override
    public Account[] createStorage(int size) {
        return new Account[size];
    }
}
