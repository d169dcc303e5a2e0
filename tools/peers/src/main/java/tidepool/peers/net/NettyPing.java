package tidepool.peers.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tidepool.bench.net.Message;
import tidepool.bench.net.Ping;

/** A ping inside the event loop: the answer to one trip sends the next. */
final class NettyPing implements Ping {
    private final EventLoopGroup loop;
    private final Handler handler = new Handler();

    NettyPing(EventLoopGroup loop) {
        this.loop = loop;
    }

    Handler handler() {
        return handler;
    }

    @Override
    public long exchange(int trips, int messages) {
        CompletableFuture<Long> last = new CompletableFuture<>();
        handler.context.executor().execute(() -> handler.begin(trips, messages, last));
        return last.join();
    }

    @Override
    public Thread worker() {
        return handler.thread;
    }

    @Override
    public void close() {
        handler.context.close().syncUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    static final class Handler extends SimpleChannelInboundHandler<ByteBuf> {
        private volatile ChannelHandlerContext context;
        private volatile Thread thread;
        private CompletableFuture<Long> ended;
        private int tripsLeft;
        private int messages;
        private ByteBuf in;
        private long number;

        @Override
        public void handlerAdded(ChannelHandlerContext now) {
            context = now;
            thread = Thread.currentThread();
            in = now.alloc().directBuffer(Message.MAX_UNDER_WAY * Message.ANSWER_BYTES);
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext now) {
            in.release();
        }

        void begin(int trips, int count, CompletableFuture<Long> last) {
            tripsLeft = trips;
            messages = count;
            ended = last;
            send();
        }

        private void send() {
            ByteBuf out = context.alloc().directBuffer(messages * Message.REQUEST_BYTES);
            for (int i = 0; i < messages; i++) out.setLongLE(i * Message.REQUEST_BYTES, ++number);
            out.writerIndex(messages * Message.REQUEST_BYTES);
            in.clear();
            ChannelFuture _ = context.writeAndFlush(out, context.voidPromise()); // errors close the channel
        }

        @Override
        protected void channelRead0(ChannelHandlerContext now, ByteBuf bytes) {
            in.writeBytes(bytes);
            if (in.readableBytes() < messages * Message.ANSWER_BYTES) return;
            long last = in.getLongLE((messages - 1) * Message.ANSWER_BYTES);
            if (last != number) ended.completeExceptionally(new IllegalStateException("answer " + last));
            else if (--tripsLeft > 0) send();
            else ended.complete(last);
        }

        @Override
        public void channelInactive(ChannelHandlerContext now) {
            if (ended != null) ended.completeExceptionally(new IllegalStateException("the other end is gone"));
        }
    }
}
