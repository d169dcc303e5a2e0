package tidepool.peers.net;

import tidepool.bench.net.RawTransport;
import tidepool.bench.net.RawTransportContract;

class AeronTransportTest extends RawTransportContract {
    @Override
    protected RawTransport transport() {
        return new AeronTransport();
    }
}
