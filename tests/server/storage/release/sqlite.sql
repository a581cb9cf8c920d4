BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0015');
CREATE TABLE chat (
	id INTEGER NOT NULL, 
	table_id VARCHAR(32) NOT NULL, 
	room VARCHAR(8) NOT NULL, 
	who VARCHAR(32) NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	text TEXT NOT NULL, 
	at FLOAT NOT NULL, owner VARCHAR(500), 
	PRIMARY KEY (id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "chat" VALUES(1,'playing','table','who-1','Ada','Hello, Ben',1764000000.0,'ada');
INSERT INTO "chat" VALUES(2,'rivals-over','gallery','who-2','Guest','Well played',1764000001.0,NULL);
CREATE TABLE clocks (
	table_id VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	rest FLOAT NOT NULL, 
	due FLOAT, 
	since FLOAT NOT NULL, 
	missed INTEGER NOT NULL, 
	votes INTEGER NOT NULL, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "clocks" VALUES('playing',0,180.0,NULL,0.0,0,0);
INSERT INTO "clocks" VALUES('playing',1,179.0,NULL,0.0,1,0);
CREATE TABLE dailies (
	day VARCHAR(10) NOT NULL, 
	bot VARCHAR(64) NOT NULL, 
	format VARCHAR(80) NOT NULL, 
	results JSON NOT NULL, 
	PRIMARY KEY (day, bot)
);
INSERT INTO "dailies" VALUES('2026-11-20','easy','1 kuhhandel/1','[[1, 120], [2, 60]]');
CREATE TABLE devices (
	token VARCHAR(64) NOT NULL, 
	"key" VARCHAR(500) NOT NULL, 
	made FLOAT NOT NULL, 
	PRIMARY KEY (token), 
	FOREIGN KEY("key") REFERENCES names ("key")
);
INSERT INTO "devices" VALUES('8287d70922ee87713fab5514c730340c61f4ba900d7932b9b2f19f2e453f26d4','ada',1.79588637183300304416e+09);
CREATE TABLE held (
	browser VARCHAR(64) NOT NULL, 
	table_id VARCHAR(32) NOT NULL, 
	token VARCHAR(64) NOT NULL, 
	sealed VARCHAR(128) NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (browser, table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "held" VALUES('ebc09ddfb0321a1e5a0435ee764ddc85cb90ec995278ab5e05db69db8612a98d','playing','ba20f11a87f217921f221bfeb253454b9bb71a123fc5b8bebc0c2a9801eddc93','f7cffb669552b4a69144918f894d0adc6235cda6eb26',1.79588637207869243617e+09);
INSERT INTO "held" VALUES('ebc09ddfb0321a1e5a0435ee764ddc85cb90ec995278ab5e05db69db8612a98d','waiting','ba20f11a87f217921f221bfeb253454b9bb71a123fc5b8bebc0c2a9801eddc93','f7cffb669552b4a69144918f894d0adc6235cda6eb26',1.79588637212051868436e+09);
CREATE TABLE letters (
	id INTEGER NOT NULL, 
	notice VARCHAR(32) NOT NULL, 
	table_id VARCHAR(32), 
	seat INTEGER, 
	number INTEGER, 
	due FLOAT NOT NULL, 
	tries INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(notice) REFERENCES notices (id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "letters" VALUES(1,'siuvhqyixuje',NULL,NULL,NULL,1764000000.0,0);
INSERT INTO "letters" VALUES(2,'siuvhqyixuje','playing',0,9,4000000000.0,1);
CREATE TABLE moves (
	table_id VARCHAR(32) NOT NULL, 
	number INTEGER NOT NULL, 
	seat INTEGER, 
	move JSON NOT NULL, 
	command VARCHAR(64), 
	public TEXT, 
	private TEXT, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (table_id, number), 
	UNIQUE (table_id, seat, command), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "moves" VALUES('rivals-on',0,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000000.0);
INSERT INTO "moves" VALUES('rivals-on',1,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000001.0);
INSERT INTO "moves" VALUES('rivals-on',2,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000002.0);
INSERT INTO "moves" VALUES('rivals-on',3,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000003.0);
INSERT INTO "moves" VALUES('rivals-on',4,1,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000004.0);
INSERT INTO "moves" VALUES('rivals-on',5,0,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000005.0);
INSERT INTO "moves" VALUES('rivals-on',6,1,'{"do":"pass"}',NULL,NULL,NULL,1764000006.0);
INSERT INTO "moves" VALUES('rivals-on',7,0,'{"do":"take","cards":["B3","Yx"]}',NULL,NULL,NULL,1764000007.0);
INSERT INTO "moves" VALUES('rivals-on',8,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000008.0);
INSERT INTO "moves" VALUES('rivals-on',9,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000009.0);
INSERT INTO "moves" VALUES('rivals-on',10,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000010.0);
INSERT INTO "moves" VALUES('rivals-on',11,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000011.0);
INSERT INTO "moves" VALUES('rivals-over',0,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000000.0);
INSERT INTO "moves" VALUES('rivals-over',1,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000001.0);
INSERT INTO "moves" VALUES('rivals-over',2,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000002.0);
INSERT INTO "moves" VALUES('rivals-over',3,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000003.0);
INSERT INTO "moves" VALUES('rivals-over',4,1,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000004.0);
INSERT INTO "moves" VALUES('rivals-over',5,0,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000005.0);
INSERT INTO "moves" VALUES('rivals-over',6,1,'{"do":"pass"}',NULL,NULL,NULL,1764000006.0);
INSERT INTO "moves" VALUES('rivals-over',7,0,'{"do":"take","cards":["B3","Yx"]}',NULL,NULL,NULL,1764000007.0);
INSERT INTO "moves" VALUES('rivals-over',8,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000008.0);
INSERT INTO "moves" VALUES('rivals-over',9,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000009.0);
INSERT INTO "moves" VALUES('rivals-over',10,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000010.0);
INSERT INTO "moves" VALUES('rivals-over',11,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000011.0);
INSERT INTO "moves" VALUES('rivals-over',12,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000012.0);
INSERT INTO "moves" VALUES('rivals-over',13,1,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000013.0);
INSERT INTO "moves" VALUES('rivals-over',14,0,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000014.0);
INSERT INTO "moves" VALUES('rivals-over',15,1,'{"do":"pass"}',NULL,NULL,NULL,1764000015.0);
INSERT INTO "moves" VALUES('rivals-over',16,0,'{"do":"take","cards":["B3","G2","G3"]}',NULL,NULL,NULL,1764000016.0);
INSERT INTO "moves" VALUES('rivals-over',17,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000017.0);
INSERT INTO "moves" VALUES('rivals-over',18,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000018.0);
INSERT INTO "moves" VALUES('rivals-over',19,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000019.0);
INSERT INTO "moves" VALUES('rivals-over',20,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000020.0);
INSERT INTO "moves" VALUES('rivals-over',21,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000021.0);
INSERT INTO "moves" VALUES('rivals-over',22,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000022.0);
INSERT INTO "moves" VALUES('rivals-over',23,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000023.0);
INSERT INTO "moves" VALUES('rivals-over',24,1,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000024.0);
INSERT INTO "moves" VALUES('rivals-over',25,0,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000025.0);
INSERT INTO "moves" VALUES('rivals-over',26,1,'{"do":"bid","amount":4}',NULL,NULL,NULL,1764000026.0);
INSERT INTO "moves" VALUES('rivals-over',27,0,'{"do":"pass"}',NULL,NULL,NULL,1764000027.0);
INSERT INTO "moves" VALUES('rivals-over',28,1,'{"do":"take","cards":["B4","B5","G3","G4","Y3"]}',NULL,NULL,NULL,1764000028.0);
INSERT INTO "moves" VALUES('rivals-over',29,1,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000029.0);
INSERT INTO "moves" VALUES('rivals-over',30,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000030.0);
INSERT INTO "moves" VALUES('rivals-over',31,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000031.0);
INSERT INTO "moves" VALUES('rivals-over',32,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000032.0);
INSERT INTO "moves" VALUES('rivals-over',33,1,'{"do":"pass"}',NULL,NULL,NULL,1764000033.0);
INSERT INTO "moves" VALUES('rivals-over',34,0,'{"do":"take","cards":["Yx"]}',NULL,NULL,NULL,1764000034.0);
INSERT INTO "moves" VALUES('rivals-over',35,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000035.0);
INSERT INTO "moves" VALUES('rivals-over',36,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000036.0);
INSERT INTO "moves" VALUES('rivals-over',37,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000037.0);
INSERT INTO "moves" VALUES('rivals-over',38,1,'{"do":"pass"}',NULL,NULL,NULL,1764000038.0);
INSERT INTO "moves" VALUES('rivals-over',39,0,'{"do":"take","cards":["Yx"]}',NULL,NULL,NULL,1764000039.0);
INSERT INTO "moves" VALUES('rivals-over',40,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000040.0);
INSERT INTO "moves" VALUES('rivals-over',41,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000041.0);
INSERT INTO "moves" VALUES('rivals-over',42,0,'{"do":"bid","amount":4}',NULL,NULL,NULL,1764000042.0);
INSERT INTO "moves" VALUES('rivals-over',43,1,'{"do":"bid","amount":5}',NULL,NULL,NULL,1764000043.0);
INSERT INTO "moves" VALUES('rivals-over',44,0,'{"do":"bid","amount":6}',NULL,NULL,NULL,1764000044.0);
INSERT INTO "moves" VALUES('rivals-over',45,1,'{"do":"bid","amount":7}',NULL,NULL,NULL,1764000045.0);
INSERT INTO "moves" VALUES('rivals-over',46,0,'{"do":"pass"}',NULL,NULL,NULL,1764000046.0);
INSERT INTO "moves" VALUES('rivals-over',47,1,'{"do":"take","cards":["Wx","W2","W4","W6","W9"]}',NULL,NULL,NULL,1764000047.0);
INSERT INTO "moves" VALUES('rivals-over',48,1,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000048.0);
INSERT INTO "moves" VALUES('rivals-over',49,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000049.0);
INSERT INTO "moves" VALUES('rivals-over',50,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000050.0);
INSERT INTO "moves" VALUES('rivals-over',51,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000051.0);
INSERT INTO "moves" VALUES('rivals-over',52,1,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000052.0);
INSERT INTO "moves" VALUES('rivals-over',53,0,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000053.0);
INSERT INTO "moves" VALUES('rivals-over',54,1,'{"do":"pass"}',NULL,NULL,NULL,1764000054.0);
INSERT INTO "moves" VALUES('rivals-over',55,0,'{"do":"take","cards":["B8","B10","Y2"]}',NULL,NULL,NULL,1764000055.0);
INSERT INTO "moves" VALUES('rivals-over',56,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000056.0);
INSERT INTO "moves" VALUES('rivals-over',57,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000057.0);
INSERT INTO "moves" VALUES('rivals-over',58,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000058.0);
INSERT INTO "moves" VALUES('rivals-over',59,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000059.0);
INSERT INTO "moves" VALUES('rivals-over',60,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000060.0);
INSERT INTO "moves" VALUES('rivals-over',61,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000061.0);
INSERT INTO "moves" VALUES('rivals-over',62,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000062.0);
INSERT INTO "moves" VALUES('rivals-over',63,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000063.0);
INSERT INTO "moves" VALUES('rivals-over',64,0,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000064.0);
INSERT INTO "moves" VALUES('rivals-over',65,1,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000065.0);
INSERT INTO "moves" VALUES('rivals-over',66,0,'{"do":"bid","amount":4}',NULL,NULL,NULL,1764000066.0);
INSERT INTO "moves" VALUES('rivals-over',67,1,'{"do":"pass"}',NULL,NULL,NULL,1764000067.0);
INSERT INTO "moves" VALUES('rivals-over',68,0,'{"do":"take","cards":["G5","G7","G10","Y5","Y6"]}',NULL,NULL,NULL,1764000068.0);
INSERT INTO "moves" VALUES('rivals-over',69,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000069.0);
INSERT INTO "moves" VALUES('rivals-over',70,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000070.0);
INSERT INTO "moves" VALUES('rivals-over',71,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000071.0);
INSERT INTO "moves" VALUES('rivals-over',72,1,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000072.0);
INSERT INTO "moves" VALUES('rivals-over',73,0,'{"do":"pass"}',NULL,NULL,NULL,1764000073.0);
INSERT INTO "moves" VALUES('rivals-over',74,1,'{"do":"take","cards":["B7","B9"]}',NULL,NULL,NULL,1764000074.0);
INSERT INTO "moves" VALUES('rivals-over',75,1,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000075.0);
INSERT INTO "moves" VALUES('rivals-over',76,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000076.0);
INSERT INTO "moves" VALUES('rivals-over',77,1,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000077.0);
INSERT INTO "moves" VALUES('rivals-over',78,0,'{"do":"pass"}',NULL,NULL,NULL,1764000078.0);
INSERT INTO "moves" VALUES('rivals-over',79,1,'{"do":"take","cards":["R3","G6"]}',NULL,NULL,NULL,1764000079.0);
INSERT INTO "moves" VALUES('rivals-over',80,1,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000080.0);
INSERT INTO "moves" VALUES('rivals-over',81,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000081.0);
INSERT INTO "moves" VALUES('rivals-over',82,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000082.0);
INSERT INTO "moves" VALUES('rivals-over',83,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000083.0);
INSERT INTO "moves" VALUES('rivals-over',84,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000084.0);
INSERT INTO "moves" VALUES('rivals-over',85,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000085.0);
INSERT INTO "moves" VALUES('rivals-over',86,1,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000086.0);
INSERT INTO "moves" VALUES('rivals-over',87,0,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000087.0);
INSERT INTO "moves" VALUES('rivals-over',88,1,'{"do":"pass"}',NULL,NULL,NULL,1764000088.0);
INSERT INTO "moves" VALUES('rivals-over',89,0,'{"do":"take","cards":["R2","W2","W4"]}',NULL,NULL,NULL,1764000089.0);
INSERT INTO "moves" VALUES('rivals-over',90,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000090.0);
INSERT INTO "moves" VALUES('rivals-over',91,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000091.0);
INSERT INTO "moves" VALUES('rivals-over',92,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000092.0);
INSERT INTO "moves" VALUES('rivals-over',93,1,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000093.0);
INSERT INTO "moves" VALUES('rivals-over',94,0,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000094.0);
INSERT INTO "moves" VALUES('rivals-over',95,1,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000095.0);
INSERT INTO "moves" VALUES('rivals-over',96,0,'{"do":"pass"}',NULL,NULL,NULL,1764000096.0);
INSERT INTO "moves" VALUES('rivals-over',97,1,'{"do":"take","cards":["R5","R5","Y3","Y5"]}',NULL,NULL,NULL,1764000097.0);
INSERT INTO "moves" VALUES('rivals-over',98,1,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000098.0);
INSERT INTO "moves" VALUES('rivals-over',99,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000099.0);
INSERT INTO "moves" VALUES('rivals-over',100,1,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000100.0);
INSERT INTO "moves" VALUES('rivals-over',101,0,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000101.0);
INSERT INTO "moves" VALUES('rivals-over',102,1,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000102.0);
INSERT INTO "moves" VALUES('rivals-over',103,0,'{"do":"pass"}',NULL,NULL,NULL,1764000103.0);
INSERT INTO "moves" VALUES('rivals-over',104,1,'{"do":"take","cards":["R8","R9","G9"]}',NULL,NULL,NULL,1764000104.0);
INSERT INTO "moves" VALUES('rivals-over',105,1,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000105.0);
INSERT INTO "moves" VALUES('rivals-over',106,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000106.0);
INSERT INTO "moves" VALUES('rivals-over',107,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000107.0);
INSERT INTO "moves" VALUES('rivals-over',108,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000108.0);
INSERT INTO "moves" VALUES('rivals-over',109,1,'{"do":"pass"}',NULL,NULL,NULL,1764000109.0);
INSERT INTO "moves" VALUES('rivals-over',110,0,'{"do":"take","cards":["W7","W8"]}',NULL,NULL,NULL,1764000110.0);
INSERT INTO "moves" VALUES('rivals-over',111,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000111.0);
INSERT INTO "moves" VALUES('rivals-over',112,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000112.0);
INSERT INTO "moves" VALUES('rivals-over',113,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000113.0);
INSERT INTO "moves" VALUES('rivals-over',114,1,'{"do":"pass"}',NULL,NULL,NULL,1764000114.0);
INSERT INTO "moves" VALUES('rivals-over',115,0,'{"do":"take","cards":["R2"]}',NULL,NULL,NULL,1764000115.0);
INSERT INTO "moves" VALUES('rivals-over',116,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000116.0);
INSERT INTO "moves" VALUES('rivals-over',117,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000117.0);
INSERT INTO "moves" VALUES('rivals-over',118,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000118.0);
INSERT INTO "moves" VALUES('rivals-over',119,1,'{"do":"pass"}',NULL,NULL,NULL,1764000119.0);
INSERT INTO "moves" VALUES('rivals-over',120,0,'{"do":"take","cards":["R6","R7"]}',NULL,NULL,NULL,1764000120.0);
INSERT INTO "moves" VALUES('rivals-over',121,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000121.0);
INSERT INTO "moves" VALUES('rivals-over',122,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000122.0);
INSERT INTO "moves" VALUES('rivals-over',123,0,'{"do":"bid","amount":4}',NULL,NULL,NULL,1764000123.0);
INSERT INTO "moves" VALUES('rivals-over',124,1,'{"do":"bid","amount":5}',NULL,NULL,NULL,1764000124.0);
INSERT INTO "moves" VALUES('rivals-over',125,0,'{"do":"bid","amount":6}',NULL,NULL,NULL,1764000125.0);
INSERT INTO "moves" VALUES('rivals-over',126,1,'{"do":"bid","amount":7}',NULL,NULL,NULL,1764000126.0);
INSERT INTO "moves" VALUES('rivals-over',127,0,'{"do":"bid","amount":8}',NULL,NULL,NULL,1764000127.0);
INSERT INTO "moves" VALUES('rivals-over',128,1,'{"do":"pass"}',NULL,NULL,NULL,1764000128.0);
INSERT INTO "moves" VALUES('rivals-over',129,0,'{"do":"take","cards":["Y8","Y10","W10"]}',NULL,NULL,NULL,1764000129.0);
INSERT INTO "moves" VALUES('rivals-over',130,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000130.0);
INSERT INTO "moves" VALUES('rivals-over',131,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000131.0);
INSERT INTO "moves" VALUES('rivals-over',132,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000132.0);
INSERT INTO "moves" VALUES('rivals-over',133,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000133.0);
INSERT INTO "moves" VALUES('rivals-over',134,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000134.0);
INSERT INTO "moves" VALUES('rivals-over',135,1,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000135.0);
INSERT INTO "moves" VALUES('rivals-over',136,0,'{"do":"pass"}',NULL,NULL,NULL,1764000136.0);
INSERT INTO "moves" VALUES('rivals-over',137,1,'{"do":"take","cards":["Y9"]}',NULL,NULL,NULL,1764000137.0);
INSERT INTO "moves" VALUES('rivals-over',138,1,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000138.0);
INSERT INTO "moves" VALUES('rivals-over',139,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000139.0);
INSERT INTO "moves" VALUES('rivals-over',140,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000140.0);
INSERT INTO "moves" VALUES('rivals-over',141,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000141.0);
INSERT INTO "moves" VALUES('rivals-over',142,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000142.0);
INSERT INTO "moves" VALUES('rivals-over',143,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000143.0);
INSERT INTO "moves" VALUES('rivals-over',144,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000144.0);
INSERT INTO "moves" VALUES('rivals-over',145,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000145.0);
INSERT INTO "moves" VALUES('rivals-over',146,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000146.0);
INSERT INTO "moves" VALUES('rivals-over',147,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000147.0);
INSERT INTO "moves" VALUES('rivals-over',148,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000148.0);
INSERT INTO "moves" VALUES('rivals-over',149,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000149.0);
INSERT INTO "moves" VALUES('rivals-over',150,1,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000150.0);
INSERT INTO "moves" VALUES('rivals-over',151,0,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000151.0);
INSERT INTO "moves" VALUES('rivals-over',152,1,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000152.0);
INSERT INTO "moves" VALUES('rivals-over',153,0,'{"do":"pass"}',NULL,NULL,NULL,1764000153.0);
INSERT INTO "moves" VALUES('rivals-over',154,1,'{"do":"take","cards":["R10"]}',NULL,NULL,NULL,1764000154.0);
INSERT INTO "moves" VALUES('rivals-over',155,1,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000155.0);
INSERT INTO "moves" VALUES('rivals-over',156,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000156.0);
INSERT INTO "moves" VALUES('rivals-over',157,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000157.0);
INSERT INTO "moves" VALUES('rivals-over',158,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000158.0);
INSERT INTO "moves" VALUES('rivals-over',159,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000159.0);
INSERT INTO "moves" VALUES('rivals-over',160,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000160.0);
INSERT INTO "moves" VALUES('rivals-over',161,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000161.0);
INSERT INTO "moves" VALUES('rivals-discard-on',0,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000000.0);
INSERT INTO "moves" VALUES('rivals-discard-on',1,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000001.0);
INSERT INTO "moves" VALUES('rivals-discard-on',2,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000002.0);
INSERT INTO "moves" VALUES('rivals-discard-on',3,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000003.0);
INSERT INTO "moves" VALUES('rivals-discard-on',4,1,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000004.0);
INSERT INTO "moves" VALUES('rivals-discard-on',5,0,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000005.0);
INSERT INTO "moves" VALUES('rivals-discard-on',6,1,'{"do":"pass"}',NULL,NULL,NULL,1764000006.0);
INSERT INTO "moves" VALUES('rivals-discard-on',7,0,'{"do":"take","cards":["B3","Yx"]}',NULL,NULL,NULL,1764000007.0);
INSERT INTO "moves" VALUES('rivals-discard-on',8,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000008.0);
INSERT INTO "moves" VALUES('rivals-discard-on',9,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000009.0);
INSERT INTO "moves" VALUES('rivals-discard-on',10,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000010.0);
INSERT INTO "moves" VALUES('rivals-discard-on',11,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000011.0);
INSERT INTO "moves" VALUES('rivals-discard-over',0,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000000.0);
INSERT INTO "moves" VALUES('rivals-discard-over',1,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000001.0);
INSERT INTO "moves" VALUES('rivals-discard-over',2,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000002.0);
INSERT INTO "moves" VALUES('rivals-discard-over',3,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000003.0);
INSERT INTO "moves" VALUES('rivals-discard-over',4,1,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000004.0);
INSERT INTO "moves" VALUES('rivals-discard-over',5,0,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000005.0);
INSERT INTO "moves" VALUES('rivals-discard-over',6,1,'{"do":"pass"}',NULL,NULL,NULL,1764000006.0);
INSERT INTO "moves" VALUES('rivals-discard-over',7,0,'{"do":"take","cards":["B3","Yx"]}',NULL,NULL,NULL,1764000007.0);
INSERT INTO "moves" VALUES('rivals-discard-over',8,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000008.0);
INSERT INTO "moves" VALUES('rivals-discard-over',9,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000009.0);
INSERT INTO "moves" VALUES('rivals-discard-over',10,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000010.0);
INSERT INTO "moves" VALUES('rivals-discard-over',11,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000011.0);
INSERT INTO "moves" VALUES('rivals-discard-over',12,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000012.0);
INSERT INTO "moves" VALUES('rivals-discard-over',13,1,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000013.0);
INSERT INTO "moves" VALUES('rivals-discard-over',14,0,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000014.0);
INSERT INTO "moves" VALUES('rivals-discard-over',15,1,'{"do":"pass"}',NULL,NULL,NULL,1764000015.0);
INSERT INTO "moves" VALUES('rivals-discard-over',16,0,'{"do":"take","cards":["B3","G2","G3"]}',NULL,NULL,NULL,1764000016.0);
INSERT INTO "moves" VALUES('rivals-discard-over',17,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000017.0);
INSERT INTO "moves" VALUES('rivals-discard-over',18,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000018.0);
INSERT INTO "moves" VALUES('rivals-discard-over',19,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000019.0);
INSERT INTO "moves" VALUES('rivals-discard-over',20,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000020.0);
INSERT INTO "moves" VALUES('rivals-discard-over',21,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000021.0);
INSERT INTO "moves" VALUES('rivals-discard-over',22,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000022.0);
INSERT INTO "moves" VALUES('rivals-discard-over',23,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000023.0);
INSERT INTO "moves" VALUES('rivals-discard-over',24,1,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000024.0);
INSERT INTO "moves" VALUES('rivals-discard-over',25,0,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000025.0);
INSERT INTO "moves" VALUES('rivals-discard-over',26,1,'{"do":"bid","amount":4}',NULL,NULL,NULL,1764000026.0);
INSERT INTO "moves" VALUES('rivals-discard-over',27,0,'{"do":"pass"}',NULL,NULL,NULL,1764000027.0);
INSERT INTO "moves" VALUES('rivals-discard-over',28,1,'{"do":"take","cards":["B4","B5","G3","G4","Y3"]}',NULL,NULL,NULL,1764000028.0);
INSERT INTO "moves" VALUES('rivals-discard-over',29,1,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000029.0);
INSERT INTO "moves" VALUES('rivals-discard-over',30,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000030.0);
INSERT INTO "moves" VALUES('rivals-discard-over',31,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000031.0);
INSERT INTO "moves" VALUES('rivals-discard-over',32,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000032.0);
INSERT INTO "moves" VALUES('rivals-discard-over',33,1,'{"do":"pass"}',NULL,NULL,NULL,1764000033.0);
INSERT INTO "moves" VALUES('rivals-discard-over',34,0,'{"do":"take","cards":["Yx"]}',NULL,NULL,NULL,1764000034.0);
INSERT INTO "moves" VALUES('rivals-discard-over',35,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000035.0);
INSERT INTO "moves" VALUES('rivals-discard-over',36,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000036.0);
INSERT INTO "moves" VALUES('rivals-discard-over',37,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000037.0);
INSERT INTO "moves" VALUES('rivals-discard-over',38,1,'{"do":"pass"}',NULL,NULL,NULL,1764000038.0);
INSERT INTO "moves" VALUES('rivals-discard-over',39,0,'{"do":"take","cards":["Yx"]}',NULL,NULL,NULL,1764000039.0);
INSERT INTO "moves" VALUES('rivals-discard-over',40,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000040.0);
INSERT INTO "moves" VALUES('rivals-discard-over',41,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000041.0);
INSERT INTO "moves" VALUES('rivals-discard-over',42,0,'{"do":"bid","amount":4}',NULL,NULL,NULL,1764000042.0);
INSERT INTO "moves" VALUES('rivals-discard-over',43,1,'{"do":"bid","amount":5}',NULL,NULL,NULL,1764000043.0);
INSERT INTO "moves" VALUES('rivals-discard-over',44,0,'{"do":"bid","amount":6}',NULL,NULL,NULL,1764000044.0);
INSERT INTO "moves" VALUES('rivals-discard-over',45,1,'{"do":"bid","amount":7}',NULL,NULL,NULL,1764000045.0);
INSERT INTO "moves" VALUES('rivals-discard-over',46,0,'{"do":"pass"}',NULL,NULL,NULL,1764000046.0);
INSERT INTO "moves" VALUES('rivals-discard-over',47,1,'{"do":"take","cards":["Wx","W2","W4","W6","W9"]}',NULL,NULL,NULL,1764000047.0);
INSERT INTO "moves" VALUES('rivals-discard-over',48,1,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000048.0);
INSERT INTO "moves" VALUES('rivals-discard-over',49,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000049.0);
INSERT INTO "moves" VALUES('rivals-discard-over',50,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000050.0);
INSERT INTO "moves" VALUES('rivals-discard-over',51,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000051.0);
INSERT INTO "moves" VALUES('rivals-discard-over',52,1,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000052.0);
INSERT INTO "moves" VALUES('rivals-discard-over',53,0,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000053.0);
INSERT INTO "moves" VALUES('rivals-discard-over',54,1,'{"do":"pass"}',NULL,NULL,NULL,1764000054.0);
INSERT INTO "moves" VALUES('rivals-discard-over',55,0,'{"do":"take","cards":["B8","B10","Y2"]}',NULL,NULL,NULL,1764000055.0);
INSERT INTO "moves" VALUES('rivals-discard-over',56,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000056.0);
INSERT INTO "moves" VALUES('rivals-discard-over',57,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000057.0);
INSERT INTO "moves" VALUES('rivals-discard-over',58,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000058.0);
INSERT INTO "moves" VALUES('rivals-discard-over',59,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000059.0);
INSERT INTO "moves" VALUES('rivals-discard-over',60,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000060.0);
INSERT INTO "moves" VALUES('rivals-discard-over',61,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000061.0);
INSERT INTO "moves" VALUES('rivals-discard-over',62,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000062.0);
INSERT INTO "moves" VALUES('rivals-discard-over',63,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000063.0);
INSERT INTO "moves" VALUES('rivals-discard-over',64,0,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000064.0);
INSERT INTO "moves" VALUES('rivals-discard-over',65,1,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000065.0);
INSERT INTO "moves" VALUES('rivals-discard-over',66,0,'{"do":"bid","amount":4}',NULL,NULL,NULL,1764000066.0);
INSERT INTO "moves" VALUES('rivals-discard-over',67,1,'{"do":"pass"}',NULL,NULL,NULL,1764000067.0);
INSERT INTO "moves" VALUES('rivals-discard-over',68,0,'{"do":"take","cards":["G5","G7","G10","Y5","Y6"]}',NULL,NULL,NULL,1764000068.0);
INSERT INTO "moves" VALUES('rivals-discard-over',69,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000069.0);
INSERT INTO "moves" VALUES('rivals-discard-over',70,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000070.0);
INSERT INTO "moves" VALUES('rivals-discard-over',71,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000071.0);
INSERT INTO "moves" VALUES('rivals-discard-over',72,1,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000072.0);
INSERT INTO "moves" VALUES('rivals-discard-over',73,0,'{"do":"pass"}',NULL,NULL,NULL,1764000073.0);
INSERT INTO "moves" VALUES('rivals-discard-over',74,1,'{"do":"take","cards":["B7","B9"]}',NULL,NULL,NULL,1764000074.0);
INSERT INTO "moves" VALUES('rivals-discard-over',75,1,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000075.0);
INSERT INTO "moves" VALUES('rivals-discard-over',76,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000076.0);
INSERT INTO "moves" VALUES('rivals-discard-over',77,1,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000077.0);
INSERT INTO "moves" VALUES('rivals-discard-over',78,0,'{"do":"pass"}',NULL,NULL,NULL,1764000078.0);
INSERT INTO "moves" VALUES('rivals-discard-over',79,1,'{"do":"take","cards":["R3","G6"]}',NULL,NULL,NULL,1764000079.0);
INSERT INTO "moves" VALUES('rivals-discard-over',80,1,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000080.0);
INSERT INTO "moves" VALUES('rivals-discard-over',81,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000081.0);
INSERT INTO "moves" VALUES('rivals-discard-over',82,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000082.0);
INSERT INTO "moves" VALUES('rivals-discard-over',83,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000083.0);
INSERT INTO "moves" VALUES('rivals-discard-over',84,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000084.0);
INSERT INTO "moves" VALUES('rivals-discard-over',85,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000085.0);
INSERT INTO "moves" VALUES('rivals-discard-over',86,1,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000086.0);
INSERT INTO "moves" VALUES('rivals-discard-over',87,0,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000087.0);
INSERT INTO "moves" VALUES('rivals-discard-over',88,1,'{"do":"pass"}',NULL,NULL,NULL,1764000088.0);
INSERT INTO "moves" VALUES('rivals-discard-over',89,0,'{"do":"take","cards":["R2","W2","W4"]}',NULL,NULL,NULL,1764000089.0);
INSERT INTO "moves" VALUES('rivals-discard-over',90,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000090.0);
INSERT INTO "moves" VALUES('rivals-discard-over',91,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000091.0);
INSERT INTO "moves" VALUES('rivals-discard-over',92,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000092.0);
INSERT INTO "moves" VALUES('rivals-discard-over',93,1,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000093.0);
INSERT INTO "moves" VALUES('rivals-discard-over',94,0,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000094.0);
INSERT INTO "moves" VALUES('rivals-discard-over',95,1,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000095.0);
INSERT INTO "moves" VALUES('rivals-discard-over',96,0,'{"do":"pass"}',NULL,NULL,NULL,1764000096.0);
INSERT INTO "moves" VALUES('rivals-discard-over',97,1,'{"do":"take","cards":["R5","R5","Y3","Y5"]}',NULL,NULL,NULL,1764000097.0);
INSERT INTO "moves" VALUES('rivals-discard-over',98,1,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000098.0);
INSERT INTO "moves" VALUES('rivals-discard-over',99,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000099.0);
INSERT INTO "moves" VALUES('rivals-discard-over',100,1,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000100.0);
INSERT INTO "moves" VALUES('rivals-discard-over',101,0,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000101.0);
INSERT INTO "moves" VALUES('rivals-discard-over',102,1,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000102.0);
INSERT INTO "moves" VALUES('rivals-discard-over',103,0,'{"do":"pass"}',NULL,NULL,NULL,1764000103.0);
INSERT INTO "moves" VALUES('rivals-discard-over',104,1,'{"do":"take","cards":["R8","R9","G9"]}',NULL,NULL,NULL,1764000104.0);
INSERT INTO "moves" VALUES('rivals-discard-over',105,1,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000105.0);
INSERT INTO "moves" VALUES('rivals-discard-over',106,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000106.0);
INSERT INTO "moves" VALUES('rivals-discard-over',107,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000107.0);
INSERT INTO "moves" VALUES('rivals-discard-over',108,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000108.0);
INSERT INTO "moves" VALUES('rivals-discard-over',109,1,'{"do":"pass"}',NULL,NULL,NULL,1764000109.0);
INSERT INTO "moves" VALUES('rivals-discard-over',110,0,'{"do":"take","cards":["W7","W8"]}',NULL,NULL,NULL,1764000110.0);
INSERT INTO "moves" VALUES('rivals-discard-over',111,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000111.0);
INSERT INTO "moves" VALUES('rivals-discard-over',112,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000112.0);
INSERT INTO "moves" VALUES('rivals-discard-over',113,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000113.0);
INSERT INTO "moves" VALUES('rivals-discard-over',114,1,'{"do":"pass"}',NULL,NULL,NULL,1764000114.0);
INSERT INTO "moves" VALUES('rivals-discard-over',115,0,'{"do":"take","cards":["R2"]}',NULL,NULL,NULL,1764000115.0);
INSERT INTO "moves" VALUES('rivals-discard-over',116,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000116.0);
INSERT INTO "moves" VALUES('rivals-discard-over',117,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000117.0);
INSERT INTO "moves" VALUES('rivals-discard-over',118,0,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000118.0);
INSERT INTO "moves" VALUES('rivals-discard-over',119,1,'{"do":"pass"}',NULL,NULL,NULL,1764000119.0);
INSERT INTO "moves" VALUES('rivals-discard-over',120,0,'{"do":"take","cards":["R6","R7"]}',NULL,NULL,NULL,1764000120.0);
INSERT INTO "moves" VALUES('rivals-discard-over',121,0,'{"do":"remove","card":null}',NULL,NULL,NULL,1764000121.0);
INSERT INTO "moves" VALUES('rivals-discard-over',122,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000122.0);
INSERT INTO "moves" VALUES('rivals-discard-over',123,0,'{"do":"bid","amount":4}',NULL,NULL,NULL,1764000123.0);
INSERT INTO "moves" VALUES('rivals-discard-over',124,1,'{"do":"bid","amount":5}',NULL,NULL,NULL,1764000124.0);
INSERT INTO "moves" VALUES('rivals-discard-over',125,0,'{"do":"bid","amount":6}',NULL,NULL,NULL,1764000125.0);
INSERT INTO "moves" VALUES('rivals-discard-over',126,1,'{"do":"bid","amount":7}',NULL,NULL,NULL,1764000126.0);
INSERT INTO "moves" VALUES('rivals-discard-over',127,0,'{"do":"bid","amount":8}',NULL,NULL,NULL,1764000127.0);
INSERT INTO "moves" VALUES('rivals-discard-over',128,1,'{"do":"pass"}',NULL,NULL,NULL,1764000128.0);
INSERT INTO "moves" VALUES('rivals-discard-over',129,0,'{"do":"take","cards":["Y8","Y10","W10"]}',NULL,NULL,NULL,1764000129.0);
INSERT INTO "moves" VALUES('rivals-discard-over',130,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000130.0);
INSERT INTO "moves" VALUES('rivals-discard-over',131,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000131.0);
INSERT INTO "moves" VALUES('rivals-discard-over',132,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000132.0);
INSERT INTO "moves" VALUES('rivals-discard-over',133,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000133.0);
INSERT INTO "moves" VALUES('rivals-discard-over',134,1,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000134.0);
INSERT INTO "moves" VALUES('rivals-discard-over',135,0,'{"do":"pass"}',NULL,NULL,NULL,1764000135.0);
INSERT INTO "moves" VALUES('rivals-discard-over',136,1,'{"do":"take","cards":["Y9"]}',NULL,NULL,NULL,1764000136.0);
INSERT INTO "moves" VALUES('rivals-discard-over',137,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000137.0);
INSERT INTO "moves" VALUES('rivals-discard-over',138,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000138.0);
INSERT INTO "moves" VALUES('rivals-discard-over',139,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000139.0);
INSERT INTO "moves" VALUES('rivals-discard-over',140,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000140.0);
INSERT INTO "moves" VALUES('rivals-discard-over',141,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000141.0);
INSERT INTO "moves" VALUES('rivals-discard-over',142,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000142.0);
INSERT INTO "moves" VALUES('rivals-discard-over',143,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000143.0);
INSERT INTO "moves" VALUES('rivals-discard-over',144,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000144.0);
INSERT INTO "moves" VALUES('rivals-discard-over',145,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000145.0);
INSERT INTO "moves" VALUES('rivals-discard-over',146,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000146.0);
INSERT INTO "moves" VALUES('rivals-discard-over',147,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000147.0);
INSERT INTO "moves" VALUES('rivals-discard-over',148,1,'{"do":"bid","amount":1}',NULL,NULL,NULL,1764000148.0);
INSERT INTO "moves" VALUES('rivals-discard-over',149,0,'{"do":"bid","amount":2}',NULL,NULL,NULL,1764000149.0);
INSERT INTO "moves" VALUES('rivals-discard-over',150,1,'{"do":"bid","amount":3}',NULL,NULL,NULL,1764000150.0);
INSERT INTO "moves" VALUES('rivals-discard-over',151,0,'{"do":"pass"}',NULL,NULL,NULL,1764000151.0);
INSERT INTO "moves" VALUES('rivals-discard-over',152,1,'{"do":"take","cards":["R10"]}',NULL,NULL,NULL,1764000152.0);
INSERT INTO "moves" VALUES('rivals-discard-over',153,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000153.0);
INSERT INTO "moves" VALUES('rivals-discard-over',154,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000154.0);
INSERT INTO "moves" VALUES('rivals-discard-over',155,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000155.0);
INSERT INTO "moves" VALUES('rivals-discard-over',156,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000156.0);
INSERT INTO "moves" VALUES('rivals-discard-over',157,0,'{"do":"uncover"}',NULL,NULL,NULL,1764000157.0);
INSERT INTO "moves" VALUES('rivals-discard-over',158,1,'{"do":"uncover"}',NULL,NULL,NULL,1764000158.0);
INSERT INTO "moves" VALUES('claim-on',0,1,'{"do":"play","bill":"-2"}',NULL,NULL,NULL,1764000000.0);
INSERT INTO "moves" VALUES('claim-on',1,1,'{"do":"end"}',NULL,NULL,NULL,1764000001.0);
INSERT INTO "moves" VALUES('claim-on',2,0,'{"do":"play","bill":"-2"}',NULL,NULL,NULL,1764000002.0);
INSERT INTO "moves" VALUES('claim-on',3,0,'{"do":"end"}',NULL,NULL,NULL,1764000003.0);
INSERT INTO "moves" VALUES('claim-on',4,1,'{"do":"play","bill":"0"}',NULL,NULL,NULL,1764000004.0);
INSERT INTO "moves" VALUES('claim-on',5,1,'{"do":"end"}',NULL,NULL,NULL,1764000005.0);
INSERT INTO "moves" VALUES('claim-on',6,0,'{"do":"play","bill":"w","on":-2}',NULL,NULL,NULL,1764000006.0);
INSERT INTO "moves" VALUES('claim-on',7,0,'{"do":"push","stack":-2,"to":1}',NULL,NULL,NULL,1764000007.0);
INSERT INTO "moves" VALUES('claim-over',0,1,'{"do":"play","bill":"-2"}',NULL,NULL,NULL,1764000000.0);
INSERT INTO "moves" VALUES('claim-over',1,1,'{"do":"end"}',NULL,NULL,NULL,1764000001.0);
INSERT INTO "moves" VALUES('claim-over',2,0,'{"do":"play","bill":"-2"}',NULL,NULL,NULL,1764000002.0);
INSERT INTO "moves" VALUES('claim-over',3,0,'{"do":"end"}',NULL,NULL,NULL,1764000003.0);
INSERT INTO "moves" VALUES('claim-over',4,1,'{"do":"play","bill":"0"}',NULL,NULL,NULL,1764000004.0);
INSERT INTO "moves" VALUES('claim-over',5,1,'{"do":"end"}',NULL,NULL,NULL,1764000005.0);
INSERT INTO "moves" VALUES('claim-over',6,0,'{"do":"play","bill":"w","on":-2}',NULL,NULL,NULL,1764000006.0);
INSERT INTO "moves" VALUES('claim-over',7,0,'{"do":"push","stack":-2,"to":1}',NULL,NULL,NULL,1764000007.0);
INSERT INTO "moves" VALUES('claim-over',8,0,'{"do":"end"}',NULL,NULL,NULL,1764000008.0);
INSERT INTO "moves" VALUES('claim-over',9,1,'{"do":"play","bill":"0"}',NULL,NULL,NULL,1764000009.0);
INSERT INTO "moves" VALUES('claim-over',10,1,'{"do":"end"}',NULL,NULL,NULL,1764000010.0);
INSERT INTO "moves" VALUES('claim-over',11,0,'{"do":"play","bill":"3:call_in"}',NULL,NULL,NULL,1764000011.0);
INSERT INTO "moves" VALUES('claim-over',12,0,'{"do":"skip"}',NULL,NULL,NULL,1764000012.0);
INSERT INTO "moves" VALUES('claim-over',13,0,'{"do":"end"}',NULL,NULL,NULL,1764000013.0);
INSERT INTO "moves" VALUES('claim-over',14,1,'{"do":"play","bill":"1:call_in"}',NULL,NULL,NULL,1764000014.0);
INSERT INTO "moves" VALUES('claim-over',15,1,'{"do":"icon","icon":"call_in","push":0,"to":0}',NULL,NULL,NULL,1764000015.0);
INSERT INTO "moves" VALUES('claim-over',16,1,'{"do":"end"}',NULL,NULL,NULL,1764000016.0);
INSERT INTO "moves" VALUES('claim-over',17,0,'{"do":"play","bill":"-1"}',NULL,NULL,NULL,1764000017.0);
INSERT INTO "moves" VALUES('claim-over',18,0,'{"do":"end"}',NULL,NULL,NULL,1764000018.0);
INSERT INTO "moves" VALUES('claim-over',19,1,'{"do":"play","bill":"3:refund"}',NULL,NULL,NULL,1764000019.0);
INSERT INTO "moves" VALUES('claim-over',20,1,'{"do":"icon","icon":"refund","stack":-2,"how":"write_off"}',NULL,NULL,NULL,1764000020.0);
INSERT INTO "moves" VALUES('claim-over',21,1,'{"do":"push","stack":3,"to":1}',NULL,NULL,NULL,1764000021.0);
INSERT INTO "moves" VALUES('claim-over',22,1,'{"do":"end"}',NULL,NULL,NULL,1764000022.0);
INSERT INTO "moves" VALUES('claim-over',23,0,'{"do":"play","bill":"-1"}',NULL,NULL,NULL,1764000023.0);
INSERT INTO "moves" VALUES('claim-over',24,0,'{"do":"end"}',NULL,NULL,NULL,1764000024.0);
INSERT INTO "moves" VALUES('claim-over',25,1,'{"do":"play","bill":"1/2","as":2,"on":1}',NULL,NULL,NULL,1764000025.0);
INSERT INTO "moves" VALUES('claim-over',26,1,'{"do":"end"}',NULL,NULL,NULL,1764000026.0);
INSERT INTO "moves" VALUES('claim-over',27,0,'{"do":"play","bill":"2:merger"}',NULL,NULL,NULL,1764000027.0);
INSERT INTO "moves" VALUES('claim-over',28,0,'{"do":"skip"}',NULL,NULL,NULL,1764000028.0);
INSERT INTO "moves" VALUES('claim-over',29,0,'{"do":"push","stack":2,"to":0}',NULL,NULL,NULL,1764000029.0);
INSERT INTO "moves" VALUES('claim-over',30,0,'{"do":"end"}',NULL,NULL,NULL,1764000030.0);
INSERT INTO "moves" VALUES('claim-over',31,1,'{"do":"play","bill":"2:dividend"}',NULL,NULL,NULL,1764000031.0);
INSERT INTO "moves" VALUES('claim-over',32,1,'{"do":"icon","icon":"dividend"}',NULL,NULL,NULL,1764000032.0);
INSERT INTO "moves" VALUES('claim-over',33,1,'{"do":"end"}',NULL,NULL,NULL,1764000033.0);
INSERT INTO "moves" VALUES('claim-over',34,0,'{"do":"play","bill":"0"}',NULL,NULL,NULL,1764000034.0);
INSERT INTO "moves" VALUES('claim-over',35,0,'{"do":"end"}',NULL,NULL,NULL,1764000035.0);
INSERT INTO "moves" VALUES('claim-over',36,1,'{"do":"play","bill":"2"}',NULL,NULL,NULL,1764000036.0);
INSERT INTO "moves" VALUES('claim-over',37,1,'{"do":"end"}',NULL,NULL,NULL,1764000037.0);
INSERT INTO "moves" VALUES('claim-over',38,0,'{"do":"play","bill":"0"}',NULL,NULL,NULL,1764000038.0);
INSERT INTO "moves" VALUES('claim-over',39,0,'{"do":"end"}',NULL,NULL,NULL,1764000039.0);
INSERT INTO "moves" VALUES('claim-over',40,1,'{"do":"play","bill":"1:dividend"}',NULL,NULL,NULL,1764000040.0);
INSERT INTO "moves" VALUES('claim-over',41,1,'{"do":"icon","icon":"dividend"}',NULL,NULL,NULL,1764000041.0);
INSERT INTO "moves" VALUES('claim-over',42,1,'{"do":"claim","stack":2}',NULL,NULL,NULL,1764000042.0);
INSERT INTO "moves" VALUES('playing',0,1,'{"do": "auction"}','command-0',NULL,NULL,1.79588637203721642496e+09);
INSERT INTO "moves" VALUES('playing',1,2,'{"do": "bid", "amount": 40}','command-1','{"en": "It is cheap."}','{"en": "It has 90."}',1.79588637203723454479e+09);
INSERT INTO "moves" VALUES('playing',2,0,'{"do": "bid", "amount": 60}','command-2',NULL,NULL,1.79588637203723597529e+09);
INSERT INTO "moves" VALUES('playing',3,2,'{"do": "bid", "amount": 70}','command-3','{"en": "It is cheap."}','{"en": "It has 90."}',1.79588637203724241254e+09);
INSERT INTO "moves" VALUES('playing',4,0,'{"do": "bid", "amount": 80}','command-4',NULL,NULL,1.7958863720372436046e+09);
INSERT INTO "moves" VALUES('playing',5,2,'{"do": "pass"}','command-5','{"en": "It is cheap."}','{"en": "It has 90."}',1.79588637203724884984e+09);
INSERT INTO "moves" VALUES('playing',6,1,'{"do": "sell"}','command-6',NULL,NULL,1.79588637203724980351e+09);
INSERT INTO "moves" VALUES('playing',7,0,'{"do": "pay", "cards": [50, 10, 10, 10]}','command-7',NULL,NULL,1.7958863720372526645e+09);
INSERT INTO "moves" VALUES('playing',8,2,'{"do": "auction"}','command-8','{"en": "It is cheap."}','{"en": "It has 90."}',1.79588637203725814822e+09);
CREATE TABLE names (
	"key" VARCHAR(500) NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	password VARCHAR(200) NOT NULL, 
	made FLOAT NOT NULL, ladder BOOLEAN DEFAULT 0 NOT NULL, form VARCHAR(500) DEFAULT '' NOT NULL, small VARCHAR(500) DEFAULT '' NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "names" VALUES('ada','Ada','$argon2id$v=19$m=8,t=1,p=1$Bq7G0+u0r6dBodETPkk7BA$wGxGahAAmdkgByUrjtkL55aV34SWw1BF8iE19Q86anE',1.7958863718331387043e+09,1,'ada','ada');
CREATE TABLE notes (
	table_id VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "notes" VALUES('playing',0,'Ben has no money left');
CREATE TABLE notices (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(500), 
	browser VARCHAR(64), 
	kind VARCHAR(8) NOT NULL, 
	address VARCHAR(500) NOT NULL, 
	secret VARCHAR(64) NOT NULL, 
	quiet_from INTEGER, 
	quiet_until INTEGER, 
	zone VARCHAR(64) NOT NULL, 
	language VARCHAR(8) NOT NULL, 
	made FLOAT NOT NULL, 
	confirmed FLOAT, 
	sent FLOAT, 
	trouble VARCHAR(16), 
	PRIMARY KEY (id)
);
INSERT INTO "notices" VALUES('siuvhqyixuje','ada',NULL,'hook','https://hooks.example/ada','Cna4HDSLNboWkIMUlK0_gA',22,8,'Europe/Berlin','en',1764000000.0,NULL,NULL,NULL);
CREATE TABLE pulse (
	id INTEGER NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "pulse" VALUES(1,1764000000.0);
CREATE TABLE ratings (
	kind VARCHAR(8) NOT NULL, 
	player VARCHAR(500) NOT NULL, 
	game VARCHAR(64) NOT NULL, 
	mu FLOAT NOT NULL, 
	sigma FLOAT NOT NULL, 
	matches INTEGER NOT NULL, 
	PRIMARY KEY (kind, player, game)
);
INSERT INTO "ratings" VALUES('human','ada','kuhhandel',26.5,7.25,2);
INSERT INTO "ratings" VALUES('bot','steady','kuhhandel',24.5,7.5,2);
CREATE TABLE reviews (
	table_id VARCHAR(32) NOT NULL, 
	format VARCHAR(32) NOT NULL, 
	review JSON NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (table_id), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "reviews" VALUES('rivals-over','of 3ea7c8c7','{"course": []}',1764000000.0);
CREATE TABLE seats (
	table_id VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	bot VARCHAR(64), 
	seed BIGINT NOT NULL, 
	token VARCHAR(64), owner VARCHAR(500), hints INTEGER DEFAULT '0' NOT NULL, rated BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "seats" VALUES('rivals-on',0,'bot','Player 1','steady',0,NULL,NULL,0,0);
INSERT INTO "seats" VALUES('rivals-on',1,'bot','Player 2','steady',1,NULL,NULL,0,0);
INSERT INTO "seats" VALUES('rivals-over',0,'bot','Player 1','steady',0,NULL,NULL,0,0);
INSERT INTO "seats" VALUES('rivals-over',1,'bot','Player 2','steady',1,NULL,NULL,0,0);
INSERT INTO "seats" VALUES('rivals-discard-on',0,'bot','Player 1','steady',0,NULL,NULL,0,0);
INSERT INTO "seats" VALUES('rivals-discard-on',1,'bot','Player 2','steady',1,NULL,NULL,0,0);
INSERT INTO "seats" VALUES('rivals-discard-over',0,'bot','Player 1','steady',0,NULL,NULL,0,0);
INSERT INTO "seats" VALUES('rivals-discard-over',1,'bot','Player 2','steady',1,NULL,NULL,0,0);
INSERT INTO "seats" VALUES('claim-on',0,'bot','Player 1','steady',0,NULL,NULL,0,0);
INSERT INTO "seats" VALUES('claim-on',1,'bot','Player 2','steady',1,NULL,NULL,0,0);
INSERT INTO "seats" VALUES('claim-over',0,'bot','Player 1','steady',0,NULL,NULL,0,0);
INSERT INTO "seats" VALUES('claim-over',1,'bot','Player 2','steady',1,NULL,NULL,0,0);
INSERT INTO "seats" VALUES('playing',0,'human','Ada',NULL,11,'ba20f11a87f217921f221bfeb253454b9bb71a123fc5b8bebc0c2a9801eddc93','ada',1,1);
INSERT INTO "seats" VALUES('playing',1,'human','Ben',NULL,12,'af0d2d2038492e67931988881d1ba55faf8a33a5eca9a2234c8a531d7e48f670',NULL,0,0);
INSERT INTO "seats" VALUES('playing',2,'bot','Bot','steady',13,NULL,NULL,0,0);
INSERT INTO "seats" VALUES('waiting',0,'human','Ada',NULL,11,'ba20f11a87f217921f221bfeb253454b9bb71a123fc5b8bebc0c2a9801eddc93','ada',1,1);
INSERT INTO "seats" VALUES('waiting',1,'open','',NULL,0,NULL,NULL,0,0);
INSERT INTO "seats" VALUES('waiting',2,'bot','Bot','steady',13,NULL,NULL,0,0);
CREATE TABLE standing (
	table_id VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	about VARCHAR(64) NOT NULL, 
	wants JSON NOT NULL, 
	PRIMARY KEY (table_id, seat, about), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "standing" VALUES('playing',1,'bid','{"amount": 40}');
CREATE TABLE tables (
	id VARCHAR(32) NOT NULL, 
	game VARCHAR(64) NOT NULL, 
	rules VARCHAR(80) NOT NULL, 
	options JSON NOT NULL, 
	deal JSON NOT NULL, 
	status VARCHAR(8) NOT NULL, 
	pace VARCHAR(8) NOT NULL, 
	paused BOOLEAN NOT NULL, 
	made FLOAT NOT NULL, leaves FLOAT, host INTEGER DEFAULT '0' NOT NULL, listed BOOLEAN DEFAULT 0 NOT NULL, starts VARCHAR(8) DEFAULT 'full' NOT NULL, chat BOOLEAN DEFAULT 1 NOT NULL, next VARCHAR(32), clock VARCHAR(16) DEFAULT '' NOT NULL, hints VARCHAR(8) DEFAULT '' NOT NULL, day VARCHAR(10), study BOOLEAN DEFAULT 0 NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('rivals-on','rivals','rivals/2','{"pile_distribution": true}','{"start":1,"starting":[["B","Y"],["R","G"]],"deck":["Yx","W4","B3","B3","G7","G2","G3","G3","B5","Y10","Y3","W6","B4","G4","W9","R5","Yx","B8","Yx","W2","Wx","B10","R9","Y2","Bx","B9","Y6","Bx","Bx","G10","G5","Y5","Y2","B2","B7","R3","G6","Y5","B5","W2","W4","R2","B4","R5","Y3","R8","G9","W7","W8","R7","R2","G2","R6","Rx","Y8","W10","Y9","W3","B6","Wx","R4","W5","Gx","Gx","Y7","W3","W5","Wx","Rx","Y4","Gx","R10","G4","Rx","G5","R3","G8","B2","Y4","R4"]}','playing','instant',0,1764000000.0,NULL,0,0,'full',1,NULL,'','',NULL,0);
INSERT INTO "tables" VALUES('rivals-over','rivals','rivals/2','{"pile_distribution": true}','{"start":1,"starting":[["B","Y"],["R","G"]],"deck":["Yx","W4","B3","B3","G7","G2","G3","G3","B5","Y10","Y3","W6","B4","G4","W9","R5","Yx","B8","Yx","W2","Wx","B10","R9","Y2","Bx","B9","Y6","Bx","Bx","G10","G5","Y5","Y2","B2","B7","R3","G6","Y5","B5","W2","W4","R2","B4","R5","Y3","R8","G9","W7","W8","R7","R2","G2","R6","Rx","Y8","W10","Y9","W3","B6","Wx","R4","W5","Gx","Gx","Y7","W3","W5","Wx","Rx","Y4","Gx","R10","G4","Rx","G5","R3","G8","B2","Y4","R4"]}','over','instant',0,1764000000.0,NULL,0,0,'full',1,NULL,'','',NULL,0);
INSERT INTO "tables" VALUES('rivals-discard-on','rivals','rivals/2','{"pile_distribution": true, "dead_cards": "discard"}','{"start":1,"starting":[["B","Y"],["R","G"]],"deck":["Yx","W4","B3","B3","G7","G2","G3","G3","B5","Y10","Y3","W6","B4","G4","W9","R5","Yx","B8","Yx","W2","Wx","B10","R9","Y2","Bx","B9","Y6","Bx","Bx","G10","G5","Y5","Y2","B2","B7","R3","G6","Y5","B5","W2","W4","R2","B4","R5","Y3","R8","G9","W7","W8","R7","R2","G2","R6","Rx","Y8","W10","Y9","W3","B6","Wx","R4","W5","Gx","Gx","Y7","W3","W5","Wx","Rx","Y4","Gx","R10","G4","Rx","G5","R3","G8","B2","Y4","R4"]}','playing','instant',0,1764000000.0,NULL,0,0,'full',1,NULL,'','',NULL,0);
INSERT INTO "tables" VALUES('rivals-discard-over','rivals','rivals/2','{"pile_distribution": true, "dead_cards": "discard"}','{"start":1,"starting":[["B","Y"],["R","G"]],"deck":["Yx","W4","B3","B3","G7","G2","G3","G3","B5","Y10","Y3","W6","B4","G4","W9","R5","Yx","B8","Yx","W2","Wx","B10","R9","Y2","Bx","B9","Y6","Bx","Bx","G10","G5","Y5","Y2","B2","B7","R3","G6","Y5","B5","W2","W4","R2","B4","R5","Y3","R8","G9","W7","W8","R7","R2","G2","R6","Rx","Y8","W10","Y9","W3","B6","Wx","R4","W5","Gx","Gx","Y7","W3","W5","Wx","Rx","Y4","Gx","R10","G4","Rx","G5","R3","G8","B2","Y4","R4"]}','over','instant',0,1764000000.0,NULL,0,0,'full',1,NULL,'','',NULL,0);
INSERT INTO "tables" VALUES('claim-on','claim','claim/2','{"wild_wagers": true, "zero_risk": true, "bad_investment": true, "action_fund": true, "shopping_spree": true, "two_players": "duel", "hand_cap": 12}','{"start":1,"hands":[["-2","-1","-1","0","0","0","0","1:audit","1:merger","2:merger","3:call_in","w"],["-2","0","0","1","1","1","1:dividend","1:call_in","2","2:dividend","3:refund","1/2"]],"centre":[],"aside":["-2","-2","-1","-1","0","0","0","0","0","0","0","0","0","0","0","0","1","1","1","1:vault","1:fast_track","1:u_turn","1:refund","2","2","2","2:vault","2:fast_track","2:u_turn","2:audit","2:refund","2:call_in","3","3","3","3","3:vault","3:fast_track","3:audit","3:merger","w","1/2"],"products":["Counterfeiter","Insurance","Express Lane","Small Change","Penny Pincher","Collector","Deep Pockets","Foreign Exchange","Forecast","Offshore Account","Market Research","Loophole"],"reserve":["-2","6","0","-2","0","-1","-1","6"]}','playing','instant',0,1764000000.0,NULL,0,0,'full',1,NULL,'','',NULL,0);
INSERT INTO "tables" VALUES('claim-over','claim','claim/2','{"wild_wagers": true, "zero_risk": true, "bad_investment": true, "action_fund": true, "shopping_spree": true, "two_players": "duel", "hand_cap": 12}','{"start":1,"hands":[["-2","-1","-1","0","0","0","0","1:audit","1:merger","2:merger","3:call_in","w"],["-2","0","0","1","1","1","1:dividend","1:call_in","2","2:dividend","3:refund","1/2"]],"centre":[],"aside":["-2","-2","-1","-1","0","0","0","0","0","0","0","0","0","0","0","0","1","1","1","1:vault","1:fast_track","1:u_turn","1:refund","2","2","2","2:vault","2:fast_track","2:u_turn","2:audit","2:refund","2:call_in","3","3","3","3","3:vault","3:fast_track","3:audit","3:merger","w","1/2"],"products":["Counterfeiter","Insurance","Express Lane","Small Change","Penny Pincher","Collector","Deep Pockets","Foreign Exchange","Forecast","Offshore Account","Market Research","Loophole"],"reserve":["-2","6","0","-2","0","-1","-1","6"]}','over','instant',0,1764000000.0,NULL,0,0,'full',1,NULL,'','',NULL,0);
INSERT INTO "tables" VALUES('playing','kuhhandel','kuhhandel/1','{}','{"start": 1, "deck": ["cow", "cow", "cow", "goose", "cow", "dog", "goose", "cat", "dog", "horse", "goat", "donkey", "pig", "cat", "pig", "horse", "goose", "dog", "lamb", "lamb", "chicken", "chicken", "goat", "cat", "dog", "goat", "horse", "pig", "lamb", "lamb", "goat", "donkey", "cat", "donkey", "donkey", "chicken", "chicken", "pig", "goose", "horse"]}','playing','slow',0,1.79588637203393435481e+09,NULL,0,0,'full',1,NULL,'180+15','on',NULL,1);
INSERT INTO "tables" VALUES('waiting','kuhhandel','kuhhandel/1','{}','{"start": 1, "deck": ["cow", "cow", "cow", "goose", "cow", "dog", "goose", "cat", "dog", "horse", "goat", "donkey", "pig", "cat", "pig", "horse", "goose", "dog", "lamb", "lamb", "chicken", "chicken", "goat", "cat", "dog", "goat", "horse", "pig", "lamb", "lamb", "goat", "donkey", "cat", "donkey", "donkey", "chicken", "chicken", "pig", "goose", "horse"]}','open','slow',0,1.79588637205073809628e+09,NULL,0,1,'host',1,NULL,'3d','','2026-11-20',0);
CREATE TABLE told (
	table_id VARCHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	seen FLOAT NOT NULL, 
	PRIMARY KEY (table_id, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "told" VALUES('playing',0,9,1764000000.0);
CREATE TABLE wishes (
	table_id VARCHAR(32) NOT NULL, 
	what VARCHAR(16) NOT NULL, 
	seat INTEGER NOT NULL, 
	PRIMARY KEY (table_id, what, seat), 
	FOREIGN KEY(table_id) REFERENCES tables (id)
);
INSERT INTO "wishes" VALUES('playing','pause',0);
CREATE INDEX seats_of_owner ON seats (owner);
CREATE INDEX chat_of_table ON chat (table_id, id);
CREATE INDEX clocks_due ON clocks (due);
CREATE INDEX held_of_table ON held (table_id);
CREATE INDEX ix_names_form ON names (form);
CREATE INDEX ix_names_small ON names (small);
CREATE INDEX ix_notices_name ON notices (name);
CREATE INDEX ix_notices_browser ON notices (browser);
CREATE INDEX ix_letters_due ON letters (due);
CREATE INDEX chat_of_owner ON chat (owner);
COMMIT;
