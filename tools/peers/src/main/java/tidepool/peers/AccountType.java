package tidepool.peers;

import java.nio.ByteBuffer;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/** The format of accounts in MVStore: two words. */
final class AccountType extends BasicDataType<PeerAccount> {
    private static final int HEAP_BYTES = 32;

    @Override
    public int getMemory(PeerAccount account) {
        return HEAP_BYTES;
    }

    @Override
    public boolean isMemoryEstimationAllowed() {
        return true;
    }

    @Override
    public void write(WriteBuffer buffer, PeerAccount account) {
        buffer.putLong(account.cents()).putLong(account.changes());
    }

    @Override
    public PeerAccount read(ByteBuffer buffer) {
        return new PeerAccount(buffer.getLong(), buffer.getLong());
    }

    @Override
    public int compare(PeerAccount a, PeerAccount b) {
        int byCents = Long.compare(a.cents(), b.cents());
        return byCents != 0 ? byCents : Long.compare(a.changes(), b.changes());
    }

    @Override
    public PeerAccount[] createStorage(int size) {
        return new PeerAccount[size];
    }
}
