<?xml version="1.0" encoding="UTF-8"?>
<tileset name="cellar" tilewidth="16" tileheight="16" tilecount="2">
 <tile id="1"><properties><property name="solid" type="bool" value="true"/></properties></tile>
</tileset>
